package program;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.agent.HeddleAgent;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/// Uses a little of everything, one fact per line, and then waits for the end of its standard input.
public final class Main {

    private Main() {}

    public static void main(String[] args) throws Exception {
        try {
            Scheduler.current();
        } catch (UnsupportedOperationException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
        System.out.println("modules: " + Main.class.getModule() + ", " + HeddleAgent.class.getModule());
        System.out.println("virtual threads are Heddle's: " + inVirtualThread(Main::isCounted));
        System.out.println("goroutines: " + sum());
        System.out.println("socket: " + inGoroutine(Main::echo));
        System.out.println("sleep: " + inGoroutine(Main::sleep));
        System.in.readAllBytes();
        System.out.println("end");
    }

    /// Whether the only virtual thread of this program, the current one, is a thread of the default scheduler.
    private static boolean isCounted() {
        return Scheduler.current().stats().live() > 0;
    }

    private static int sum() throws InterruptedException {
        Chan<Integer> numbers = Chan.make();
        for (int i = 1; i <= 100; i++) {
            int number = i;
            Go.go(() -> numbers.send(number));
        }
        int sum = 0;
        for (int i = 1; i <= 100; i++) {
            sum += numbers.receive();
        }
        return sum;
    }

    private static int echo() throws Exception {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Go.go(() -> {
                try (var socket = server.accept()) {
                    socket.getOutputStream().write(socket.getInputStream().read());
                }
            });
            try (var socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                socket.getOutputStream().write(7);
                return socket.getInputStream().read();
            }
        }
    }

    private static boolean sleep() throws InterruptedException {
        Thread.sleep(Duration.ofMillis(1));
        return true;
    }

    private static <T> T inVirtualThread(Callable<T> question) throws Exception {
        var answer = new FutureTask<>(question);
        Thread.startVirtualThread(answer);
        return answer.get();
    }

    private static <T> T inGoroutine(Callable<T> question) throws Exception {
        var answer = new FutureTask<>(question);
        Go.go(answer::run);
        return answer.get();
    }
}
