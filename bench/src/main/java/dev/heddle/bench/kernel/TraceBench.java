package dev.heddle.bench.kernel;

import com.sun.management.OperatingSystemMXBean;
import dev.heddle.Chan;
import dev.heddle.Scheduler;
import dev.heddle.Trace;
import dev.heddle.WaitGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

/// What it costs to record an execution trace, in CPU time: for each switch, for each start, and for each request of a
/// server. Turns with and without a recording alternate in one JVM, so that both see the same computer.
///
/// Arguments: rounds, thousands of operations in a turn.
public final class TraceBench {

    private static final int WARM_UPS = 3;
    private static final int CLIENTS = 16;
    private static final String DRAINER = "heddle-trace";

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Path file;
    private final Scheduler scheduler =
            Scheduler.builder().procs(1).name("bench").build();

    private TraceBench(Path file) {
        this.file = file;
    }

    /// CPU time per operation: of the whole process but for the thread that writes the file, and of that thread.
    private record Turn(double program, double writer) {}

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        int operations = 1000 * Integer.parseInt(args[1]);
        Path file = Files.createTempFile("heddle-bench", ".trace");
        try {
            TraceBench bench = new TraceBench(file);
            System.out.println("ns of CPU per operation: the least and the median of " + rounds + " turns each");
            System.out.println(
                    "operation          off            recorded       more              pairs of turns   writing the file");
            bench.compare("switch", rounds, operations, () -> bench.pingPong(operations));
            bench.compare("spawn", rounds, operations, () -> bench.spawn(operations));
            int requests = Math.max(CLIENTS, operations / 40);
            bench.compare("echo request", rounds, requests, () -> bench.echo(requests));
        } finally {
            Files.deleteIfExists(file);
        }
        System.exit(0); // the scheduler is not closed
    }

    private void compare(String name, int rounds, int operations, Callable<Void> work) throws Exception {
        List<Turn> off = new ArrayList<>();
        List<Turn> on = new ArrayList<>();
        for (int round = -WARM_UPS; round < rounds; round++) {
            Turn without = turn(operations, work, /* isRecorded= */ false);
            Turn with = turn(operations, work, /* isRecorded= */ true);
            if (round >= 0) {
                off.add(without);
                on.add(with);
            }
        }
        double more = least(on) - least(off);
        System.out.printf(
                "%-13s  %6.0f %6.0f  %6.0f %6.0f  %6.0f (%.1f %%)  %s  %.0f%n",
                name,
                least(off),
                median(off),
                least(on),
                median(on),
                more,
                100 * more / least(off),
                pairs(off, on),
                on.stream().mapToDouble(Turn::writer).min().orElse(0));
    }

    /// How much more each turn with a recording took than the one before it without: the median, and the quartiles.
    /// What slows the computer down for longer than a turn slows both.
    private static String pairs(List<Turn> off, List<Turn> on) {
        List<Double> more = new ArrayList<>();
        for (int i = 0; i < off.size(); i++) {
            more.add(100 * (on.get(i).program / off.get(i).program - 1));
        }
        Collections.sort(more);
        return "%+.1f %% (%+.1f .. %+.1f)"
                .formatted(more.get(more.size() / 2), more.get(more.size() / 4), more.get(3 * more.size() / 4));
    }

    private Turn turn(int operations, Callable<Void> work, boolean isRecorded) throws Exception {
        if (isRecorded) {
            Trace.start(file);
        }
        long cpu = SYSTEM.getProcessCpuTime();
        long drainer = drainerNanos();
        work.call();
        long cpuAfter = SYSTEM.getProcessCpuTime();
        long drainerAfter = drainerNanos();
        if (isRecorded) {
            Trace.stop();
        }
        double writer = drainerAfter - drainer;
        return new Turn((cpuAfter - cpu - writer) / operations, writer / operations);
    }

    private static long drainerNanos() {
        for (ThreadInfo thread : THREADS.dumpAllThreads(false, false)) {
            if (thread.getThreadName().equals(DRAINER)) {
                return THREADS.getThreadCpuTime(thread.getThreadId());
            }
        }
        return 0;
    }

    private static double least(List<Turn> turns) {
        return turns.stream().mapToDouble(Turn::program).min().orElse(0);
    }

    private static double median(List<Turn> turns) {
        List<Double> sorted = new ArrayList<>(turns.stream().map(Turn::program).toList());
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    // ---- the operations

    /// Two goroutines hand a value back and forth: a wake-up, a park and a start each time.
    private Void pingPong(int switches) throws InterruptedException {
        Chan<Integer> there = Chan.make(0);
        Chan<Integer> back = Chan.make(0);
        WaitGroup group = new WaitGroup();
        group.add(2);
        scheduler.go(() -> {
            for (int i = 0; i < switches / 2; i++) {
                there.send(i);
                boolean _ = back.receive() == null;
            }
            group.done();
        });
        scheduler.go(() -> {
            for (int i = 0; i < switches / 2; i++) {
                boolean _ = there.receive() == null;
                back.send(i);
            }
            group.done();
        });
        group.await();
        return null;
    }

    /// A goroutine starts others that do nothing.
    private Void spawn(int count) throws InterruptedException {
        WaitGroup group = new WaitGroup();
        group.add(count);
        scheduler.go(() -> {
            for (int i = 0; i < count; i++) {
                scheduler.go(group::done);
            }
        });
        group.await();
        return null;
    }

    /// Clients on virtual threads send a line to a server on virtual threads and read it back.
    private Void echo(int requests) throws Exception {
        WaitGroup group = new WaitGroup();
        try (ServerSocket server = new ServerSocket(0)) {
            scheduler.go(() -> {
                for (int i = 0; i < CLIENTS; i++) {
                    Socket socket = server.accept();
                    scheduler.go(() -> serve(socket));
                }
            });
            group.add(CLIENTS);
            for (int i = 0; i < CLIENTS; i++) {
                scheduler.go(() -> {
                    ask(server.getLocalPort(), requests / CLIENTS);
                    group.done();
                });
            }
            group.await();
        }
        return null;
    }

    private static void serve(Socket socket) throws IOException {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] line = new byte[64];
            for (int read = in.read(line); read > 0; read = in.read(line)) {
                out.write(line, 0, read);
            }
        }
    }

    private static void ask(int port, int requests) throws IOException {
        try (Socket socket = new Socket("localhost", port)) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] line = new byte[64];
            for (int i = 0; i < requests; i++) {
                out.write(line);
                in.readNBytes(line, 0, line.length);
            }
        }
    }
}
