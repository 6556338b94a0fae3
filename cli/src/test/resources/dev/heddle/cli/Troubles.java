import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Programs that wait in a wrong way, in plain virtual threads; and in one program the healthy ones that look like them.
public class Troubles {
    private static volatile boolean isReady;
    private static volatile long sink;

    private interface Body {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "slowConsumer" -> slowConsumer(new SynchronousQueue<>());
            case "slowConsumerOfBoundedQueue" -> slowConsumer(new ArrayBlockingQueue<>(10));
            case "yieldPolling" -> repeat(2, Troubles::yieldUntilReady);
            case "flagPolling" -> repeat(1, Troubles::sleepUntilReady);
            case "slowDisk" -> repeat(12, Troubles::syncOften);
            case "slowDns" -> repeat(8, Troubles::lookUp);
            case "timerStorm" -> repeat(5_000, () -> Thread.sleep(1));
            case "cancelledTimers" -> cancelledTimers(/* removes= */ false);
            case "lookAlikes" -> lookAlikes();
            default -> throw new IllegalArgumentException(args[0]);
        }
        Thread.sleep(300_000);
    }

    private static void repeat(int threads, Body body) {
        for (int i = 0; i < threads; i++) {
            Thread.startVirtualThread(() -> {
                try {
                    while (true) {
                        body.run();
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private static void slowConsumer(BlockingQueue<Integer> queue) {
        repeat(40, () -> queue.put(1));
        repeat(1, () -> {
            sink += queue.take();
            Thread.sleep(20);
        });
    }

    private static void yieldUntilReady() {
        while (!isReady) {
            Thread.yield();
        }
    }

    private static void sleepUntilReady() throws InterruptedException {
        while (!isReady) {
            Thread.sleep(1);
        }
    }

    private static void syncOften() throws IOException {
        Path path = Files.createTempFile("heddle-", ".journal");
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            for (int i = 0; i < 1_000; i++) {
                file.write(ByteBuffer.allocate(4_096));
                file.force(true);
            }
        }
    }

    private static final AtomicInteger names = new AtomicInteger();

    private static void lookUp() throws IOException {
        sink = InetAddress.getByName("slow" + names.incrementAndGet() + ".invalid").getAddress().length;
    }

    private static void cancelledTimers(boolean removes) {
        var timers = new ScheduledThreadPoolExecutor(1);
        timers.setRemoveOnCancelPolicy(removes);
        repeat(4, () -> {
            for (int i = 0; i < 50; i++) {
                timers.schedule(() -> sink++, 1, TimeUnit.MINUTES).cancel(false);
            }
            Thread.sleep(1);
        });
    }

    /// Each of these is near one of the rules.
    private static void lookAlikes() throws Exception {
        bursts();
        backpressure();
        idleClients();
        repeat(20, Troubles::tick);
        repeat(30, Troubles::takeOne);
        repeat(1, Troubles::giveOne);
        repeat(1, Troubles::syncOften); // one journal
        repeat(2, () -> {
            sink = InetAddress.getByName("localhost").getAddress().length;
            Thread.sleep(10);
        });
        repeat(1_000, () -> Thread.sleep(1_000));
        cancelledTimers(/* removes= */ true);
        ThreadLocal<byte[]> small = ThreadLocal.withInitial(() -> new byte[1_000]);
        repeat(200, () -> {
            sink += small.get().length;
            Thread.sleep(500);
        });
    }

    /// A queue without a bound that is long at times, and then empty.
    private static void bursts() {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        repeat(1, () -> {
            for (int i = 0; i < 5_000; i++) {
                queue.add(i);
            }
            Thread.sleep(300);
        });
        repeat(4, () -> sink += queue.take());
    }

    /// Many producers in front of a full queue, each of which waits briefly.
    private static void backpressure() {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(10);
        repeat(10, () -> queue.put(1));
        repeat(1, () -> {
            for (int i = 0; i < 100; i++) {
                sink += queue.take();
            }
            Thread.sleep(1);
        });
    }

    /// Clients that were greeted, and to whom their server has nothing more to say.
    private static void idleClients() throws IOException {
        var server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        repeat(1, () -> {
            Socket socket = server.accept();
            socket.getInputStream().read();
            socket.getOutputStream().write(1);
            Thread.startVirtualThread(() -> readOne(socket));
        });
        for (int i = 0; i < 20; i++) {
            var client = new Socket(server.getInetAddress(), server.getLocalPort());
            Thread.startVirtualThread(() -> {
                try {
                    client.getOutputStream().write(1);
                    InputStream in = client.getInputStream();
                    while (in.read() >= 0) {
                        sink++;
                    }
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private static void readOne(Socket socket) {
        try {
            sink = socket.getInputStream().read();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Work at intervals: no polling, though it asks whether to end.
    private static void tick() throws InterruptedException {
        while (!isReady) {
            sink = Files.exists(Path.of("/nowhere")) ? 1 : Long.toString(sink).hashCode();
            Thread.sleep(20);
        }
    }

    private static final Queue<Integer> entries = new ArrayDeque<>();

    private static void takeOne() throws InterruptedException {
        synchronized (entries) {
            while (entries.isEmpty()) {
                entries.wait();
            }
            sink += entries.remove();
        }
    }

    private static void giveOne() throws InterruptedException {
        synchronized (entries) {
            entries.add(1);
            entries.notify();
        }
        Thread.sleep(1);
    }
}
