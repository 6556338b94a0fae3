package dev.heddle.observe;

import dev.heddle.internal.event.VainPolls;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Looks at all schedulers of this JVM for a while, from inside: a look costs well below a millisecond, while
/// one through a connection costs many, and most where the CPUs are busy and it matters.
///
/// It paces itself: after a dump it rests for several times the CPU time of that dump, so that a program with
/// many goroutines is looked at less often, not slowed down more.
final class Recorder {

    /// Dumps to be had in the time there is; twice as many samples.
    private static final int DUMPS = 15;

    private static final long SHORTEST_NANOS = 100_000_000;
    private static final long LONGEST_NANOS = 200_000_000; // a look costs 1 to 2 ms of CPU time until it is compiled

    /// Rest after a dump, in times of what it took.
    private static final int REST = 100; // at most a hundredth of one CPU

    /// Rest for each goroutine in a dump, looked at or not: about 170 bytes, which are kept, written and sent.
    private static final long SENDING_NANOS = 200_000;

    private static volatile boolean isCold = true;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<String, List<Sample>> samples = new LinkedHashMap<>();
    private final Map<String, List<Dump>> dumps = new LinkedHashMap<>();
    private final Map<Kernel, DumpSeries> series = new HashMap<>();

    /// Looks for so long, or until `enough`. On a platform thread, since it must go on when no processor is
    /// free.
    List<Recording> record(Duration duration, BooleanSupplier enough) throws InterruptedException {
        samples.clear();
        dumps.clear();
        series.keySet().retainAll(Schedulers.kernels().values());
        warmUp();
        long interval = Math.clamp(duration.toNanos() / DUMPS, SHORTEST_NANOS, LONGEST_NANOS);
        long end = System.nanoTime() + duration.toNanos();
        long nextDump = System.nanoTime();
        while (System.nanoTime() < end && !enough.getAsBoolean()) {
            long begin = System.nanoTime();
            sample();
            if (begin >= nextDump) {
                long cpuBefore = threads.getCurrentThreadCpuTime();
                int goroutines = dump();
                long took = threads.getCurrentThreadCpuTime() - cpuBefore;
                nextDump = begin + Math.max(Math.max(interval, (1 + REST) * took), goroutines * SENDING_NANOS);
            }
            Thread.sleep(Duration.ofNanos(interval / 2));
        }
        sample();
        return recordings();
    }

    /// The first look in a JVM loads classes and is interpreted: ten times the cost of later ones, which would keep
    /// these waiting.
    private void warmUp() {
        if (isCold) {
            isCold = false;
            dump();
            dumps.clear();
        }
    }

    private void sample() {
        Runtime memory = Runtime.getRuntime();
        long heapUsed = memory.totalMemory() - memory.freeMemory();
        long vainPolls = VainPolls.sum();
        long gcMillis = gcMillis();
        long cpuNanos = ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
        Schedulers.kernels()
                .forEach((name, kernel) -> samples.computeIfAbsent(name, _ -> new ArrayList<>())
                        .add(new Sample(
                                Schedulers.snapshot(name, kernel),
                                vainPolls,
                                heapUsed,
                                memory.maxMemory(),
                                gcMillis,
                                cpuNanos)));
    }

    private static long gcMillis() {
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (!collector.getName().endsWith("Cycles")) { // concurrent ones stop nobody
                millis += Math.max(0, collector.getCollectionTime());
            }
        }
        return millis;
    }

    /// How many goroutines it has.
    private int dump() {
        int goroutines = 0;
        for (Map.Entry<String, Kernel> each : Schedulers.kernels().entrySet()) {
            Dump dump = series.computeIfAbsent(each.getValue(), DumpSeries::new).next();
            dumps.computeIfAbsent(each.getKey(), _ -> new ArrayList<>()).add(dump);
            goroutines += dump.goroutines().size();
        }
        return goroutines;
    }

    private List<Recording> recordings() {
        Map<String, byte[]> classes = ProgramClasses.of(framesOfBusyGoroutines());
        List<Recording> recordings = new ArrayList<>();
        samples.forEach((name, taken) ->
                recordings.add(new Recording(name, taken, dumps.getOrDefault(name, List.of()), classes)));
        return recordings;
    }

    private Set<String> framesOfBusyGoroutines() {
        Set<String> frames = new HashSet<>();
        for (List<Dump> all : dumps.values()) {
            for (Dump dump : all) {
                for (GoroutineStats goroutine : dump.goroutines()) {
                    if (goroutine.state() == GoroutineState.RUNNING || goroutine.state() == GoroutineState.RUNNABLE) {
                        frames.addAll(goroutine.stack());
                    }
                }
            }
        }
        return frames;
    }
}
