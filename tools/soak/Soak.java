import dev.heddle.Scheduler;
import dev.heddle.stats.SchedulerStats;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

/// A mixed load for any length of time: requests through sockets, threads that compute, blocking reads of files and
/// pipes, timers, and bursts of new threads. Samples figures that should stay flat, and reports whether they did.
///
/// Started by `tools/soak/run`, which describes the arguments and the verdict. Every virtual thread runs on Heddle (the
/// agent). Clients and the sampler are platform threads, so that they notice when the scheduler does not respond.
public final class Soak {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int CLIENTS = 8;
    private static final int TIMERS = 50;
    private static final int READERS = 4;
    private static final int PIPES = 2;
    private static final int BURST = 1_000;
    private static final int COMPUTE_MILLIS = 30;
    private static final int PATIENCE_MILLIS = 30_000;

    /// Allowed growth: the verdict compares medians, and these are the usual differences between two of them.
    private enum Figure {
        RSS("RSS, MB", Sample::rssMegabytes, 1.02, 4),
        HEAP("heap after GC, MB", Sample::heapMegabytes, 1.10, 4),
        THREADS("threads", Sample::threads, 1.10, 4),
        LIVE("live goroutines", Sample::live, 1.25, 200),
        P50("request p50, ms", Sample::p50, 2, 1),
        P99("request p99, ms", Sample::p99, 2, 10),
        LATE("timer p99, ms", Sample::late, 2, 10);

        final String title;
        final ToDoubleFunction<Sample> value;
        final double factor;
        final double more;

        Figure(String title, ToDoubleFunction<Sample> value, double factor, double more) {
            this.title = title;
            this.value = value;
            this.factor = factor;
            this.more = more;
        }

        double median(List<Sample> samples) {
            double[] sorted = samples.stream().mapToDouble(value).sorted().toArray();
            return sorted[sorted.length / 2];
        }
    }

    private record Sample(
            double rssMegabytes,
            double heapMegabytes,
            double threads,
            double live,
            double p50,
            double p99,
            double max,
            double late,
            long requests,
            long failed,
            SchedulerStats stats) {}

    /// Latencies of one interval in milliseconds, from many threads.
    private static final class Latencies {
        private double[] values = new double[1 << 12];
        private int count;

        synchronized void add(long nanos) {
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
            }
            values[count++] = nanos / 1e6;
        }

        /// Returns the values in order, and clears them.
        synchronized double[] take() {
            double[] taken = Arrays.copyOf(values, count);
            count = 0;
            Arrays.sort(taken);
            return taken;
        }

        static double percentile(double[] sorted, double share) {
            return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * share))];
        }
    }

    private final Latencies requests = new Latencies();
    private final Latencies lateness = new Latencies();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicReference<String> firstFailure = new AtomicReference<>();
    private final AtomicLong spawned = new AtomicLong();
    private final AtomicLong pipeBytes = new AtomicLong();
    private final List<Sample> samples = new ArrayList<>();
    private final Path folder;
    private final Path file;
    private volatile boolean stop;

    private Soak() throws IOException {
        folder = Files.createTempDirectory("heddle-soak");
        file = Files.write(folder.resolve("file"), new byte[1 << 20]);
    }

    public static void main(String[] args) throws Exception {
        long seconds = Long.parseLong(args[0]);
        long every = Long.parseLong(args[1]);
        System.exit(new Soak().run(seconds, every) ? 0 : 1);
    }

    private boolean run(long seconds, long every) throws Exception {
        Scheduler scheduler = startAndGet(Scheduler::current);
        try (ServerSocket server = new ServerSocket(0, 200, LOOPBACK)) {
            Thread.startVirtualThread(() -> accept(server));
            for (int i = 0; i < CLIENTS; i++) {
                boolean computes = i == 0;
                platform("client-" + i, () -> ask(server.getLocalPort(), computes));
            }
            for (int i = 0; i < TIMERS; i++) {
                Thread.startVirtualThread(this::sleep);
            }
            for (int i = 0; i < READERS; i++) {
                Thread.startVirtualThread(this::readFile);
            }
            for (int i = 0; i < PIPES; i++) {
                pipe(folder.resolve("pipe" + i));
            }
            Thread.startVirtualThread(this::spawn);
            System.out.printf(
                    "%d s on %d processors, one line every %d s; %d clients, %d timers, %d readers, %d pipes%n",
                    seconds, scheduler.procs(), every, CLIENTS, TIMERS, READERS, PIPES);
            sample(scheduler, seconds, every);
            stop = true;
        }
        return verdict();
    }

    // ---- the load

    private void accept(ServerSocket server) {
        try {
            while (!stop) {
                Socket socket = server.accept();
                Thread.startVirtualThread(() -> serve(socket));
            }
        } catch (IOException e) {
            fail("accept", e);
        }
    }

    /// A request is one byte: 'e' is echoed, 'c' computes for a while first.
    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            for (int request = in.read(); request >= 0; request = in.read()) {
                if (request == 'c') {
                    compute();
                }
                out.write(request);
            }
        } catch (IOException e) {
            fail("serve", e);
        }
    }

    private static void compute() {
        long end = System.nanoTime() + COMPUTE_MILLIS * 1_000_000L;
        long sum = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 1_000; i++) {
                sum += sum * 31 + i;
            }
        }
        if (sum == 42) {
            System.out.println(); // so that it is not optimised away
        }
    }

    /// Opens a new connection for every hundred requests.
    private void ask(int port, boolean computes) {
        byte request = (byte) (computes ? 'c' : 'e');
        while (!stop) {
            try (Socket socket = new Socket(LOOPBACK, port)) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(PATIENCE_MILLIS);
                for (int i = 0; i < 100 && !stop; i++) {
                    long begin = System.nanoTime();
                    socket.getOutputStream().write(request);
                    if (socket.getInputStream().read() != request) {
                        fail("answer", new IOException("a wrong answer"));
                    }
                    if (!computes) {
                        requests.add(System.nanoTime() - begin);
                    }
                    LockSupport.parkNanos(computes ? 20_000_000 : 1_000_000);
                }
            } catch (IOException e) {
                fail("request", e);
            }
        }
    }

    private void sleep() {
        while (!stop) {
            long nanos = ThreadLocalRandom.current().nextInt(1, 50) * 1_000_000L;
            long begin = System.nanoTime();
            try {
                Thread.sleep(nanos / 1_000_000);
            } catch (InterruptedException e) {
                fail("sleep", e);
            }
            long late = System.nanoTime() - begin - nanos;
            if (late < 0) {
                fail("sleep", new IllegalStateException(-late + " ns too early"));
            }
            lateness.add(late);
        }
    }

    private void readFile() {
        byte[] buffer = new byte[1 << 16];
        while (!stop) {
            try (RandomAccessFile input = new RandomAccessFile(file.toFile(), "rw")) {
                while (input.read(buffer) > 0) {
                    // only reads
                }
                input.getFD().sync();
                Thread.sleep(20);
            } catch (IOException | InterruptedException e) {
                fail("file", e);
            }
        }
    }

    /// A reader that blocks its carrier in the operating system, and a writer that makes it wait.
    private void pipe(Path path) throws IOException, InterruptedException {
        if (new ProcessBuilder("mkfifo", path.toString()).start().waitFor() != 0) {
            throw new IOException("mkfifo " + path + " failed");
        }
        Thread.startVirtualThread(() -> {
            try (FileInputStream in = new FileInputStream(path.toFile())) {
                while (in.read() >= 0) {
                    pipeBytes.incrementAndGet();
                }
            } catch (IOException e) {
                fail("pipe", e);
            }
        });
        platform("feeder", () -> {
            try (FileOutputStream out = new FileOutputStream(path.toFile())) {
                while (!stop) {
                    out.write(1);
                    LockSupport.parkNanos(50_000_000);
                }
            } catch (IOException e) {
                fail("feed", e);
            }
        });
    }

    /// Bursts of threads that each start another and wait for it.
    private void spawn() {
        while (!stop) {
            CountDownLatch ended = new CountDownLatch(BURST);
            for (int i = 0; i < BURST; i++) {
                Thread.startVirtualThread(() -> {
                    try {
                        Thread.startVirtualThread(Thread::yield).join();
                    } catch (InterruptedException e) {
                        fail("spawn", e);
                    }
                    spawned.incrementAndGet();
                    ended.countDown();
                });
            }
            try {
                ended.await();
                Thread.sleep(100);
            } catch (InterruptedException e) {
                fail("spawn", e);
            }
        }
    }

    private void fail(String what, Exception failure) {
        if (!stop) {
            failed.incrementAndGet();
            firstFailure.compareAndSet(null, what + ": " + failure);
        }
    }

    private static void platform(String name, Runnable body) {
        Thread.ofPlatform().daemon().name(name).start(body);
    }

    private static <T> T startAndGet(java.util.function.Supplier<T> question) throws InterruptedException {
        AtomicReference<T> answer = new AtomicReference<>();
        Thread.startVirtualThread(() -> answer.set(question.get())).join();
        return answer.get();
    }

    // ---- samples

    private void sample(Scheduler scheduler, long seconds, long every) throws IOException, InterruptedException {
        System.out.println(
                "    time     RSS   heap threads   live | requests   p50 ms   p99 ms   max ms timer p99 | spawned  pipe"
                        + " | blocked undeclared    hogs | failed safety-net rescued repaired");
        long begin = System.nanoTime();
        for (long at = every; at <= seconds; at += every) {
            long left = begin + at * 1_000_000_000L - System.nanoTime();
            Thread.sleep(Math.max(0, left / 1_000_000));
            Sample sample = take(scheduler);
            samples.add(sample);
            SchedulerStats stats = sample.stats();
            System.out.printf(
                    Locale.ROOT,
                    "%6d s %5.0f M %4.0f M %7.0f %6.0f | %8d %8.2f %8.2f %8.2f %9.2f | %7d %5d | %7d %10d %7d | %6d %10d"
                            + " %7d %8d%n",
                    at,
                    sample.rssMegabytes(),
                    sample.heapMegabytes(),
                    sample.threads(),
                    sample.live(),
                    sample.requests(),
                    sample.p50(),
                    sample.p99(),
                    sample.max(),
                    sample.late(),
                    spawned.get(),
                    pipeBytes.get(),
                    stats.blockedHandOffs(),
                    stats.undeclaredHandOffs(),
                    stats.hogHandOffs(),
                    sample.failed(),
                    stats.safetyNet(),
                    stats.rescued(),
                    stats.repaired());
        }
    }

    private Sample take(Scheduler scheduler) throws IOException {
        double[] millis = requests.take();
        if (millis.length == 0) {
            fail("requests", new IllegalStateException("none was answered in an interval"));
        }
        double[] late = lateness.take();
        SchedulerStats stats = scheduler.stats();
        return new Sample(
                status("VmRSS:") / 1024.0,
                heapAfterCollection() / 1e6,
                status("Threads:"),
                stats.live(),
                Latencies.percentile(millis, 0.5),
                Latencies.percentile(millis, 0.99),
                Latencies.percentile(millis, 1),
                Latencies.percentile(late, 0.99),
                millis.length,
                failed.get(),
                stats);
    }

    private static long status(String field) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith(field)) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("/proc/self/status has no " + field);
    }

    /// The heap in use after the last collections. Between collections the heap is full of garbage.
    private static long heapAfterCollection() {
        long sum = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage usage = pool.getCollectionUsage();
            sum += usage == null ? 0 : usage.getUsed();
        }
        return sum;
    }

    // ---- the verdict

    private boolean verdict() {
        int third = samples.size() / 3;
        boolean good = true;
        System.out.println();
        if (third == 0) {
            System.out.println("too short for a verdict on flatness: fewer than three samples");
        } else {
            List<Sample> second = samples.subList(third, 2 * third);
            List<Sample> last = samples.subList(2 * third, samples.size());
            System.out.printf("%-20s %12s %12s %12s%n", "medians", "second third", "last third", "allowed");
            for (Figure figure : Figure.values()) {
                double before = figure.median(second);
                double after = figure.median(last);
                double allowed = before * figure.factor + figure.more;
                boolean flat = after <= allowed;
                System.out.printf(
                        Locale.ROOT,
                        "%-20s %12.2f %12.2f %12.2f  %s%n",
                        figure.title,
                        before,
                        after,
                        allowed,
                        flat ? "flat" : "NOT FLAT");
                good &= flat;
            }
        }
        Sample end = samples.getLast();
        good &= zero("failed requests or steps", end.failed(), firstFailure.get());
        good &= zero("work that only the safety net found", end.stats().safetyNet(), null);
        good &= zero("entries saved from an ended stack", end.stats().rescued(), null);
        good &= zero("threads that the system refused", end.stats().refusedThreads(), null);
        System.out.println(good ? "GOOD" : "BAD");
        return good;
    }

    private static boolean zero(String what, long count, String first) {
        System.out.println(what + ": " + count + (first == null ? "" : ", the first: " + first));
        return count == 0;
    }
}
