// problem: One scheduler thread serves all timers of the service. One of its tasks sends the meter's readings to a
//     server that accepts and does not answer, and waits in the read without a timeout. Lamps that wait for their
//     timer wait for ever.
// place: Meter.report
// place: Lamps.burn
// remedy: Let the timer only start threads for tasks that block (or give it more threads), and set a timeout for the
//     read.
// named: the only thread of the scheduler is blocked in a task (a read from a silent peer), so that timers do not
//     fire, at the place
// half: a read without an answer, or threads that wait for signals that nobody gives, without the scheduler
// false: a deadlock, a lock, a pool, CPU, a lost exception
// shows: burnt stays the same, queued does not fall
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

public class Lamplighter {

    record Meter(int port, LongAdder reports) implements Runnable {
        @Override
        public void run() {
            try {
                report();
            } catch (IOException e) {
                System.out.println(e);
            }
        }

        private void report() throws IOException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                new DataOutputStream(socket.getOutputStream()).writeUTF("gas 17");
                new DataInputStream(socket.getInputStream()).readUTF();
                reports.increment();
            }
        }

        static void serve(ServerSocket server) {
            try {
                for (int i = 0; ; i++) {
                    Socket socket = server.accept();
                    boolean answers = i < 4;
                    Thread.startVirtualThread(() -> {
                        try (socket) {
                            new DataInputStream(socket.getInputStream()).readUTF();
                            Thread.sleep(answers ? 5 : Long.MAX_VALUE);
                            new DataOutputStream(socket.getOutputStream()).writeUTF("thanks");
                        } catch (IOException | InterruptedException e) {
                            System.out.println(e);
                        }
                    });
                }
            } catch (IOException e) {
                System.out.println(e);
            }
        }
    }

    static final class Lamps {
        private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1);
        private final LongAdder burnt = new LongAdder();

        void every(Runnable task, int millis) {
            timers.scheduleAtFixedRate(task, millis, millis, TimeUnit.MILLISECONDS);
        }

        void burn(int millis) throws InterruptedException {
            CountDownLatch out = new CountDownLatch(1);
            timers.schedule(out::countDown, millis, TimeUnit.MILLISECONDS);
            out.await();
            burnt.increment();
        }

        void street() {
            try {
                while (true) {
                    burn(ThreadLocalRandom.current().nextInt(20, 120));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void walk(LongAdder steps) {
        try {
            while (true) {
                Thread.sleep(50);
                steps.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("gasworks").start(() -> Meter.serve(server));
        Lamps lamps = new Lamps();
        LongAdder steps = new LongAdder();
        lamps.every(new Meter(server.getLocalPort(), new LongAdder()), 100);
        for (int i = 0; i < 50; i++) {
            Thread.ofVirtual().name("street-" + i).start(lamps::street);
        }
        for (int i = 0; i < 8; i++) {
            Thread.ofVirtual().name("walker-" + i).start(() -> walk(steps));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("burnt " + lamps.burnt + ", queued " + lamps.timers.getQueue().size() + ", steps "
                    + steps);
        }
    }
}
