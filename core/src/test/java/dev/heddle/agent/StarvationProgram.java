package dev.heddle.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;

/// Virtual threads that keep every processor busy until a request over a socket has been answered. Says "answered", or
/// "starved" when the watchdog had to end it.
public final class StarvationProgram {

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private static volatile boolean answered;

    private StarvationProgram() {}

    public static void main(String[] args) throws Exception {
        int busy = Integer.parseInt(args[1]);
        CountDownLatch begun = new CountDownLatch(args[0].equals("pairs") ? 2 * busy : busy);
        try (ServerSocket server = new ServerSocket(0, 50, HERE)) {
            Thread.startVirtualThread(() -> serve(server, begun));
            Thread client = Thread.ofPlatform().daemon().start(() -> {
                for (int i = 0; i < busy; i++) {
                    start(args[0], server.getLocalPort(), begun);
                }
                await(begun);
                request(server.getLocalPort(), 's');
            });
            client.join(Duration.ofSeconds(Long.parseLong(args[2])));
            System.out.println(answered ? "answered" : "starved");
            Runtime.getRuntime().halt(0); // what starves cannot be ended otherwise
        }
    }

    private static void start(String way, int port, CountDownLatch begun) {
        switch (way) {
            case "hogs" -> Thread.ofPlatform().daemon().start(() -> request(port, 'h'));
            case "pairs" -> {
                var there = new SynchronousQueue<Integer>();
                var back = new SynchronousQueue<Integer>();
                Thread.startVirtualThread(() -> handOver(there, back, begun));
                Thread.startVirtualThread(() -> handOver(back, there, begun));
                Thread.ofPlatform().daemon().start(() -> put(there));
            }
            case "yielders" ->
                Thread.startVirtualThread(() -> {
                    begun.countDown();
                    while (!answered) {
                        Thread.yield();
                    }
                });
            default -> throw new IllegalArgumentException(way);
        }
    }

    private static void handOver(SynchronousQueue<Integer> from, SynchronousQueue<Integer> to, CountDownLatch begun) {
        begun.countDown();
        try {
            while (!answered) {
                to.put(from.take());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void put(SynchronousQueue<Integer> queue) {
        try {
            queue.put(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Sends one byte and waits for it to come back.
    private static void request(int port, char kind) {
        try (Socket socket = new Socket(HERE, port)) {
            socket.getOutputStream().write(kind);
            if (socket.getInputStream().read() == 's') {
                answered = true;
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void serve(ServerSocket server, CountDownLatch begun) {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.startVirtualThread(() -> answer(socket, begun));
            }
        } catch (IOException _) {
            // the server was closed
        }
    }

    private static void answer(Socket socket, CountDownLatch begun) {
        try (socket) {
            int kind = socket.getInputStream().read();
            if (kind == 'h') {
                begun.countDown();
                while (!answered) {
                    Thread.onSpinWait();
                }
            }
            socket.getOutputStream().write(kind);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
