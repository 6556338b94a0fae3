package dev.heddle.cli;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.WaitGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/// Small healthy programs that are busy in different ways, named by the first argument; each runs until it is killed.
/// `tools/doctor-score/healthy` has the large ones. `one-at-a-time` is a server with a fault, for comparison.
final class Healthy {

    private static final int CLIENTS = 60;
    private static final int LEAF = 1 << 13;

    private final ReentrantLock lock = new ReentrantLock();
    private final Chan<String> stop = Chan.make();
    private long counted;
    private volatile long sink;

    private Healthy() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Healthy program = new Healthy();
        switch (args[0]) {
            case "server" -> program.startServer();
            case "batch" -> program.startBatch();
            case "fork-join" -> Go.go(program::forkAndJoin);
            case "one-at-a-time" -> program.startFaultyServer();
            default -> throw new IllegalArgumentException("there is no program '" + args[0] + "'");
        }
        System.out.println("ready");
        program.stop.receive(); // nobody sends: the program runs until it is killed
    }

    /// Sockets, a pipeline, bursts and timers, beside goroutines that wait for what rarely happens.
    private void startServer() throws IOException {
        ServerSocket listener = new ServerSocket(0, CLIENTS, InetAddress.getLoopbackAddress());
        Go.go(() -> accept(listener));
        for (int i = 0; i < CLIENTS; i++) {
            Go.go(() -> request(listener.getLocalPort()));
        }
        startPipeline();
        Go.go(this::burst);
        for (int i = 0; i < 50; i++) {
            long millis = 10 + i * 40L;
            Go.go(() -> repeat(millis));
        }
        ServerSocket admin = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Go.go(() -> accept(admin));
    }

    private static void accept(ServerSocket listener) {
        while (true) {
            try {
                Socket socket = listener.accept();
                Go.go(() -> echo(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            for (int b = socket.getInputStream().read();
                    b >= 0;
                    b = socket.getInputStream().read()) {
                socket.getOutputStream().write(b);
            }
        } catch (IOException e) {
            System.err.println("the echo ended: " + e);
        }
    }

    private static void request(int port) throws InterruptedException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            while (true) {
                socket.getOutputStream().write(1);
                if (socket.getInputStream().read() != 1) {
                    throw new IOException("wrong answer");
                }
                Thread.sleep(20);
            }
        } catch (IOException e) {
            System.err.println("a request failed: " + e);
        }
    }

    private void startPipeline() {
        Chan<Integer> numbers = Chan.make(16);
        Chan<Long> results = Chan.make(16);
        Go.go(() -> {
            for (int n = 0; ; n++) {
                numbers.send(n);
                Thread.sleep(5);
            }
        });
        for (int i = 0; i < 4; i++) {
            Go.go(() -> {
                while (true) {
                    results.send(compute(numbers.receive()));
                }
            });
        }
        Go.go(() -> {
            while (true) {
                count(results.receive());
            }
        });
    }

    /// 300 goroutines at once, and a pause when all have ended.
    private void burst() throws InterruptedException {
        while (true) {
            WaitGroup group = new WaitGroup();
            for (int i = 0; i < 300; i++) {
                int number = i;
                group.go(() -> {
                    Thread.sleep(1 + number % 20);
                    count(compute(number));
                });
            }
            group.await();
            Thread.sleep(250);
        }
    }

    private void repeat(long millis) throws InterruptedException {
        while (true) {
            Thread.sleep(millis);
            count(compute((int) millis));
        }
    }

    private void count(long value) {
        lock.lock();
        try {
            counted += value;
        } finally {
            lock.unlock();
        }
    }

    /// Some microseconds of computing.
    private static long compute(int seed) {
        long x = seed;
        for (int i = 0; i < 1_000; i++) {
            x = x * 31 + i;
        }
        return x & 1;
    }

    /// A goroutine for each processor computes without a pause, and no other goroutine waits for a processor.
    private void startBatch() {
        int processors = Runtime.getRuntime().availableProcessors();
        for (int i = 0; i < processors; i++) {
            int seed = i;
            Go.go(() -> {
                for (int n = seed; ; n++) {
                    sink = compute(n);
                }
            });
        }
    }

    private void forkAndJoin() throws InterruptedException {
        int[] data = new int[1 << 18];
        Arrays.setAll(data, it -> it * 7);
        while (true) {
            count(sum(data, 0, data.length));
            Thread.sleep(5);
        }
    }

    private static long sum(int[] data, int from, int to) throws InterruptedException {
        if (to - from <= LEAF) {
            long sum = 0;
            for (int i = from; i < to; i++) {
                sum += data[i];
            }
            return sum;
        }
        int middle = (from + to) >>> 1;
        Chan<Long> left = Chan.make(1);
        Go.go(() -> left.send(sum(data, from, middle)));
        return sum(data, middle, to) + left.receive();
    }

    /// Every request sleeps while it holds the one lock.
    private void startFaultyServer() {
        for (int i = 0; i < CLIENTS; i++) {
            Go.go(() -> {
                while (true) {
                    lock.lock();
                    try {
                        Thread.sleep(50);
                    } finally {
                        lock.unlock();
                    }
                }
            });
        }
    }
}
