package dev.heddle.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.observe.Blocker;
import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Pool;
import dev.heddle.internal.observe.Sample;
import dev.heddle.internal.observe.Surroundings;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.LatencyStats;
import dev.heddle.stats.LimitStats;
import dev.heddle.stats.MachineStats;
import dev.heddle.stats.SchedulerSnapshot;
import dev.heddle.stats.SchedulerStats;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.MonitorInstruction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A made-up observation of three seconds: a healthy scheduler, unless told otherwise.
final class Seen {
    static final int SAMPLES = 30;
    static final int DUMPS = 15;

    int procs = 4;
    int cpus = 4;
    double quota;
    long periods;
    long throttledPeriods;
    int idleProcs = 2;
    long runnable;
    long timers = 3;
    long liveAtStart = 100;
    long livePerSecond;
    long vainPollsPerSecond;
    long gcMillisPerSecond;
    long switchesPerSecond = 10_000;
    long stealsPerSecond = 100;
    long hogHandOffsPerSecond;
    long timersFiredPerSecond;
    double cpusUsed = 2;
    long heapMax = 150L << 20;
    IntFunction<List<MachineStats>> machines = _ -> List.of();
    IntFunction<List<GoroutineStats>> goroutines = _ -> List.of();
    IntPredicate complete = _ -> true;
    IntFunction<List<GoroutineStats>> platform = _ -> List.of();
    IntFunction<List<Blocker>> blockers = _ -> List.of();
    IntFunction<List<Pool>> pools = _ -> List.of();
    IntToLongFunction compileMillis = _ -> 900;
    IntToLongFunction classesLoaded = _ -> 2_000;
    IntFunction<Surroundings> surroundings = _ -> Surroundings.UNKNOWN;
    private final Map<String, byte[]> classes = new HashMap<>();

    /// Makes the class file of a fixture known.
    Seen with(Class<?>... fixtures) throws IOException {
        for (Class<?> fixture : fixtures) {
            String file = fixture.getName().replace('.', '/') + ".class";
            try (InputStream in = fixture.getClassLoader().getResourceAsStream(file)) {
                if (in != null) {
                    classes.put(fixture.getName(), in.readAllBytes());
                }
            }
        }
        return this;
    }

    Observation observation() {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i <= SAMPLES; i++) {
            double seconds = i / 10.0;
            samples.add(new Sample(
                    snapshot(i, seconds),
                    (long) (vainPollsPerSecond * seconds),
                    (100L << 20) + (long) (livePerSecond * seconds * 1_000),
                    heapMax,
                    (long) (gcMillisPerSecond * seconds),
                    (long) (cpusUsed * seconds * 1e9),
                    compileMillis.applyAsLong(i),
                    classesLoaded.applyAsLong(i)));
        }
        List<Dump> dumps = new ArrayList<>();
        for (int i = 0; i < DUMPS; i++) {
            dumps.add(new Dump(
                    i * 200_000_000L,
                    goroutines.apply(i),
                    complete.test(i),
                    platform.apply(i),
                    blockers.apply(i),
                    pools.apply(i),
                    surroundings.apply(i)));
        }
        return new Observation(samples, dumps, classes);
    }

    private SchedulerSnapshot snapshot(int index, double seconds) {
        long live = liveAtStart + (long) (livePerSecond * seconds);
        var stats = new SchedulerStats(
                (long) (seconds * 1_000),
                procs,
                idleProcs,
                procs + 1,
                0,
                false,
                1,
                0,
                new int[procs],
                new long[procs],
                live,
                (long) (switchesPerSecond * seconds),
                (long) (stealsPerSecond * seconds),
                (long) (stealsPerSecond * seconds),
                0,
                0,
                0,
                0,
                (long) (timersFiredPerSecond * seconds),
                (int) timers,
                0,
                0,
                (long) (hogHandOffsPerSecond * seconds),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                false,
                false);
        return new SchedulerSnapshot(
                "test",
                true,
                (long) (seconds * 1e9),
                stats,
                List.of(),
                machines.apply(index),
                new LatencyStats(new long[0], new long[0], 0),
                new LimitStats(
                        "GOMAXPROCS=" + procs,
                        procs != cpus,
                        cpus,
                        quota,
                        (long) (periods * seconds / 3),
                        (long) (throttledPeriods * seconds / 3),
                        0,
                        false),
                live,
                runnable,
                procs - idleProcs,
                0,
                live);
    }

    static MachineStats machine(int id, int processor, long goroutine, boolean hog) {
        return new MachineStats(
                id, id + 1_000, id + 2_000, "m" + id, processor, goroutine, 0, false, false, false, false, hog);
    }

    /// In a system call, without a processor.
    static MachineStats blockedMachine(int id, long goroutine) {
        return new MachineStats(
                id, id + 1_000, id + 2_000, "m" + id, -1, goroutine, 0, false, false, true, false, false);
    }

    static GoroutineStats running(long id, String... stack) {
        return goroutine(id, GoroutineState.RUNNING, null, false, 1, null, 0, List.of(), stack);
    }

    static GoroutineStats waiting(long id, String reason, String... stack) {
        return goroutine(id, GoroutineState.WAITING, reason, false, -1, null, 0, List.of(), stack);
    }

    static GoroutineStats wantsLock(long id, String lock, long owner, List<String> monitors) {
        return goroutine(
                id,
                GoroutineState.WAITING,
                "sync.Mutex.Lock",
                false,
                -1,
                lock,
                owner,
                monitors,
                "app.Bank.transfer(Bank.java:9)");
    }

    static GoroutineStats locked(GoroutineStats it) {
        return goroutine(
                it.id(),
                it.state(),
                it.waitReason(),
                true,
                it.machine(),
                null,
                0,
                List.of(),
                it.stack().toArray(String[]::new));
    }

    static GoroutineStats goroutine(
            long id,
            GoroutineState state,
            @Nullable String reason,
            boolean locked,
            int machine,
            @Nullable String blocker,
            long owner,
            List<String> monitors,
            String... stack) {
        return new GoroutineStats(
                id,
                "",
                state,
                reason,
                -1,
                -1,
                locked,
                machine,
                blocker,
                owner,
                monitors,
                List.of(stack),
                null,
                null,
                0);
    }

    /// A thread in a wait without a limit, in which observers have seen it for so long.
    static GoroutineStats standing(long id, long nanos, @Nullable String blocker, String reason, String... stack) {
        return seen(goroutine(id, GoroutineState.WAITING, reason, false, -1, blocker, 0, List.of(), stack), -1, nanos);
    }

    /// A thread in a wait with a limit, so long after its begin.
    static GoroutineStats timed(long id, long waitNanos, @Nullable String blocker, String reason, String... stack) {
        return seen(
                goroutine(id, GoroutineState.WAITING, reason, false, -1, blocker, 0, List.of(), stack), waitNanos, -1);
    }

    /// In a native method that waits, with its carrier.
    static GoroutineStats blocking(long id, String... stack) {
        return goroutine(id, GoroutineState.SYSCALL, null, false, 1, null, 0, List.of(), stack);
    }

    private static GoroutineStats seen(GoroutineStats it, long waitNanos, long seenNanos) {
        return new GoroutineStats(
                it.id(),
                it.name(),
                it.state(),
                it.waitReason(),
                waitNanos,
                seenNanos,
                it.locked(),
                it.machine(),
                it.blocker(),
                it.owner(),
                it.monitors(),
                it.stack(),
                it.body(),
                it.createdBy(),
                it.creator());
    }

    /// The threads with ids from `from` on, below `to`.
    static List<GoroutineStats> many(long from, long to, LongFunction<GoroutineStats> thread) {
        List<GoroutineStats> all = new ArrayList<>();
        LongStream.range(from, to).forEach(id -> all.add(thread.apply(id)));
        return all;
    }

    /// The frame of a fixture at the line with the first such call, or with the first access to such a field.
    static String place(Class<?> fixture, String method, String call) {
        String file = fixture.getName().replace('.', '/') + ".class";
        try (InputStream in = fixture.getClassLoader().getResourceAsStream(file)) {
            for (MethodModel each : ClassFile.of().parse(in.readAllBytes()).methods()) {
                int line = -1;
                for (CodeElement element : each.methodName().equalsString(method)
                        ? each.code().orElseThrow().elementList()
                        : List.<CodeElement>of()) {
                    if (element instanceof LineNumber number) {
                        line = number.line();
                    } else if (isNamed(element, call)) {
                        return "%s.%s(%s.java:%d)"
                                .formatted(
                                        fixture.getName(),
                                        method,
                                        fixture.getNestHost().getSimpleName(),
                                        line);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalArgumentException("no " + call + " in " + fixture.getName() + "." + method);
    }

    private static boolean isNamed(CodeElement element, String name) {
        return switch (element) {
            case InvokeInstruction invoke -> invoke.name().equalsString(name);
            case FieldInstruction field -> field.name().equalsString(name);
            case MonitorInstruction monitor ->
                monitor.opcode().name().toLowerCase(Locale.ROOT).equals(name);
            default -> false;
        };
    }

    /// The only finding.
    static Finding only(Observation seen) {
        List<Finding> findings = Doctor.examine(seen);
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }
}
