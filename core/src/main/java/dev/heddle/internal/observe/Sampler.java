package dev.heddle.internal.observe;

import dev.heddle.internal.event.FailedPolls;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Samples all schedulers of this JVM for some time, from inside. A sample costs well below a millisecond. Over a
/// connection a sample costs many milliseconds, and most when the CPUs are busy, which is when samples matter.
///
/// It limits its own load: after a dump it pauses for a multiple of that dump's cost. A program with many goroutines is
/// thus sampled less often, not slowed down more.
public final class Sampler {

    /// Dumps to take in the available time; twice as many samples.
    private static final int DUMPS = 15;

    private static final long SHORTEST_NANOS = 100_000_000;
    private static final long LONGEST_NANOS = 200_000_000; // a sample costs 1 to 2 ms of CPU time until it is compiled

    /// Pause after a dump, as a multiple of its cost.
    private static final int REST = 100; // at most a hundredth of one CPU

    /// Dumps that the first recording of a JVM has at least. They run interpreted code, at ten times the cost,
    /// and with two or three of them a window would show too little.
    private static final int DUMPS_WHEN_COLD = 6;

    /// Pause for each goroutine in a dump, whether its stack was walked or not: about 170 bytes, which are
    /// kept, written and sent.
    private static final long SENDING_NANOS = 200_000;

    /// Frames of a waiting goroutine whose classes are read: the code that waits, and its callers.
    private static final int CALLERS = 3;

    private static volatile boolean isCold = true;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    private final CompilerTime compiler = new CompilerTime();
    private final Map<String, List<Sample>> samples = new LinkedHashMap<>();
    private final Map<String, List<Dump>> dumps = new LinkedHashMap<>();
    private final Map<Kernel, DumpSeries> series = new HashMap<>();

    /// Samples for `duration`, or until `enough` returns true. Runs on a platform thread, since it must
    /// continue when no processor is free.
    public List<SampleWindow> record(Duration duration, BooleanSupplier enough) throws InterruptedException {
        samples.clear();
        dumps.clear();
        series.keySet().retainAll(SchedulerReader.kernels().values());
        series.values().forEach(DumpSeries::startWindow);
        long longestPause = isCold ? duration.toNanos() / DUMPS_WHEN_COLD : Long.MAX_VALUE;
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
                long pause = Math.min(longestPause, Math.max((1 + REST) * took, goroutines * SENDING_NANOS));
                nextDump = begin + Math.max(interval, pause);
            }
            Thread.sleep(Duration.ofNanos(interval / 2));
        }
        sample();
        return recordings();
    }

    /// The first sample in a JVM loads classes and runs interpreted. It costs ten times as much as later ones,
    /// and would delay them.
    private void warmUp() {
        if (isCold) {
            isCold = false;
            dump();
            dumps.clear();
            series.values().forEach(DumpSeries::startWindow);
        }
    }

    private void sample() {
        Runtime memory = Runtime.getRuntime();
        long heapUsed = memory.totalMemory() - memory.freeMemory();
        long vainPolls = FailedPolls.sum();
        long gcMillis = gcMillis();
        long compileMillis = compiler.millis();
        long classesLoaded = classes.getTotalLoadedClassCount();
        long cpuNanos = ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
        SchedulerReader.kernels()
                .forEach((name, kernel) -> samples.computeIfAbsent(name, _ -> new ArrayList<>())
                        .add(new Sample(
                                SchedulerReader.snapshot(name, kernel),
                                vainPolls,
                                heapUsed,
                                memory.maxMemory(),
                                gcMillis,
                                cpuNanos,
                                compileMillis,
                                classesLoaded)));
    }

    private static long gcMillis() {
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (!collector.getName().endsWith("Cycles")) { // concurrent cycles do not stop the program
                millis += Math.max(0, collector.getCollectionTime());
            }
        }
        return millis;
    }

    /// Takes a dump of each scheduler; returns the number of goroutines in these dumps.
    private int dump() {
        int goroutines = 0;
        for (Map.Entry<String, Kernel> each : SchedulerReader.kernels().entrySet()) {
            Dump dump = series.computeIfAbsent(each.getValue(), DumpSeries::new).next();
            dumps.computeIfAbsent(each.getKey(), _ -> new ArrayList<>()).add(dump);
            goroutines += dump.goroutines().size();
        }
        return goroutines;
    }

    private List<SampleWindow> recordings() {
        Map<String, byte[]> classes = ProgramClasses.of(framesToRead());
        List<SampleWindow> recordings = new ArrayList<>();
        samples.forEach((name, taken) ->
                recordings.add(new SampleWindow(name, taken, dumps.getOrDefault(name, List.of()), classes)));
        return recordings;
    }

    /// The frames whose code may show the cause: all frames of busy goroutines, and the innermost frames of the
    /// program's own code where goroutines wait. A class that comes first is read first.
    private Set<String> framesToRead() {
        Set<String> frames = new LinkedHashSet<>();
        for (Dump dump : allDumps()) {
            for (GoroutineStats goroutine : dump.goroutines()) {
                if (goroutine.state() == GoroutineState.RUNNING || goroutine.state() == GoroutineState.RUNNABLE) {
                    frames.addAll(goroutine.stack());
                }
            }
        }
        for (Dump dump : allDumps()) {
            for (GoroutineStats goroutine : dump.goroutines()) {
                if (goroutine.state() == GoroutineState.WAITING
                        || goroutine.state().blocksCarrier()) {
                    goroutine.stack().stream()
                            .filter(ProgramClasses::isProgramsFrame)
                            .limit(CALLERS)
                            .forEach(frames::add);
                }
            }
        }
        return frames;
    }

    private List<Dump> allDumps() {
        return dumps.values().stream().flatMap(List::stream).toList();
    }
}
