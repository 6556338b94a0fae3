package dev.heddle.bench;

import dev.heddle.bench.Measure.Unit;
import java.util.List;

/// The workloads. Every peer implements each of them in its own idiom, under the name `program`.
@SuppressWarnings("ImmutableEnumChecker") // records and an unmodifiable list
enum Workload {
    SPAWN("a", "spawn", "spawn and join", new Scale(1_000_000, 0), new Scale(200_000, 0)),
    PING_PONG("b", "pingpong", "ping-pong, unbuffered", new Scale(300_000, 0), new Scale(50_000, 0)),
    BUFFERED(
            "c",
            "buffered",
            "producer and consumer, buffer of 128",
            new Scale(2_000_000, 128),
            new Scale(200_000, 128)),
    RING("d", "ring", "ring of 1,000", new Scale(500_000, 1_000), new Scale(100_000, 1_000)),
    SKYNET("e", "skynet", "skynet", new Scale(1_000_000, 0), new Scale(100_000, 0)),
    SIEVE("f", "sieve", "prime sieve", new Scale(2_000, 17_389), new Scale(500, 3_571)),
    YIELD_ALONE("g1", "yield", "yield, alone", new Scale(1_000_000, 1), new Scale(200_000, 1)),
    YIELD_CROWD("g1000", "yield", "yield, 1,000 of them", new Scale(1_000_000, 1_000), new Scale(200_000, 1_000)),
    SELECT("h", "select", "select of 4", new Scale(400_000, 4), new Scale(50_000, 4)),
    LOCK("i", "lock", "contended lock, 100 of them", new Scale(500_000, 100), new Scale(100_000, 100)),
    FAN_OUT("j0", "fanout", "fan-out, 100 workers, unbuffered", new Scale(200_000, 0), new Scale(30_000, 0)),
    FAN_OUT_BUFFERED(
            "j128", "fanout", "fan-out, 100 workers, buffered", new Scale(500_000, 128), new Scale(50_000, 128)),
    FIB("k", "fib", "fork and join, fib", new Scale(27, 196_418, 635_621), new Scale(21, 10_946, 35_421)),
    SLEEPERS("l", "sleepers", "sleepers of 10 ms", new Scale(100_000, 10, 1), new Scale(20_000, 10, 1)),
    MEMORY(
            "m",
            "memory",
            "memory of one that waits",
            new Scale(1_000_000, 0),
            new Scale(100_000, 0),
            Life.ONE_RUN,
            new Measure("bytes", "", Unit.BYTES)),
    HOGS(
            "n1",
            "hogs",
            "lateness, 1 hog per processor",
            new Scale(2_000, 1),
            new Scale(500, 1),
            Measure.P50,
            Measure.P99),
    MORE_HOGS(
            "n4",
            "hogs",
            "lateness, 4 hogs per processor",
            new Scale(2_000, 4),
            new Scale(500, 4),
            Measure.P50,
            Measure.P99),
    MANY_HOGS(
            "n32",
            "hogs",
            "lateness, 32 hogs per processor",
            new Scale(2_000, 32),
            new Scale(500, 32),
            Measure.P50,
            Measure.P99),
    ECHO(
            "o",
            "echo",
            "TCP echo, 64 connections",
            new Scale(100_000, 64),
            new Scale(10_000, 64),
            new Measure("echo", "", Unit.NANOS_PER_OPERATION)),
    BUSY_ECHO(
            "ohog",
            "busyecho",
            "TCP echo, 1 hog per processor",
            new Scale(2_000, 8),
            new Scale(500, 8),
            Measure.P50,
            Measure.P99),
    BLOCKING(
            "p",
            "blocking",
            "blocking reads, 1,000 of them",
            new Scale(1_000, 0),
            new Scale(1_000, 0),
            Life.ONE_RUN,
            new Measure("block", "until all block", Unit.NANOS),
            new Measure("release", "until all are released", Unit.NANOS),
            new Measure("threads", "threads", Unit.COUNT));

    /// Short name: the letter of the list in `docs/benchmarks.md`, and the variant if there are several.
    final String id;

    /// Its name in requests to the peers.
    final String program;

    final String title;
    final List<Measure> measures;
    final Life life;
    private final Scale full;
    private final Scale quick;

    /// The lifetime of a peer's process.
    enum Life {
        /// One process for all runs, warmed up.
        WHOLE,
        /// A fresh process for each run, because the state of the process would influence the result or later
        /// workloads.
        ONE_RUN
    }

    Workload(String id, String program, String title, Scale full, Scale quick, Measure... measures) {
        this(id, program, title, full, quick, Life.WHOLE, measures);
    }

    Workload(String id, String program, String title, Scale full, Scale quick, Life life, Measure... measures) {
        this.life = life;
        this.id = id;
        this.program = program;
        this.title = title;
        this.full = full;
        this.quick = quick;
        this.measures = measures.length == 0 ? List.of(Measure.TIME) : List.of(measures);
    }

    /// The size of a run.
    ///
    /// @param size       the number of operations, or another measure of the amount of work
    /// @param width      the number of goroutines, slots or connections; a check value where these are fixed
    /// @param operations the divisor of the time of a run
    record Scale(int size, int width, int operations) {
        Scale(int size, int width) {
            this(size, width, size);
        }
    }

    Scale scale(boolean isQuick) {
        return isQuick ? quick : full;
    }

    /// Whether `name` in a command line selects this workload: its letter, its id, or its program.
    boolean isCalled(String name) {
        return name.equals(id) || name.equals(program) || name.equals(id.substring(0, 1));
    }
}
