package dev.heddle.internal.observe;

import dev.heddle.internal.kernel.Inspector;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.procs.CpuLimits;
import dev.heddle.internal.procs.CpuQuota;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.LimitStats;
import dev.heddle.stats.ProcessorStats;
import dev.heddle.stats.SchedulerSnapshot;
import dev.heddle.stats.SchedulerStats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Finds the schedulers of this JVM by name and reads their figures. It has no state: each call reads anew.
public final class SchedulerReader {

    private SchedulerReader() {}

    /// The live schedulers under names that differ, the JVM's default first.
    public static Map<String, Kernel> kernels() {
        Map<String, Kernel> kernels = new LinkedHashMap<>();
        for (Kernel kernel : Inspector.kernels()) {
            String own = Inspector.nameOf(kernel);
            String name = own;
            for (int number = 2; kernels.containsKey(name); number++) {
                name = own + "#" + number;
            }
            kernels.put(name, kernel);
        }
        return kernels;
    }

    /// @throws IllegalArgumentException if there is none of that name
    static Kernel kernel(String name) {
        Map<String, Kernel> kernels = kernels();
        Kernel kernel = kernels.get(name);
        if (kernel == null) {
            throw new IllegalArgumentException(
                    "there is no scheduler '" + name + "'; there are " + String.join(", ", kernels.keySet()) + ".");
        }
        return kernel;
    }

    /// A snapshot of every live scheduler.
    public static List<SchedulerSnapshot> snapshots() {
        return kernels().entrySet().stream()
                .map(it -> snapshot(it.getKey(), it.getValue()))
                .toList();
    }

    /// A snapshot of one scheduler.
    ///
    /// @throws IllegalArgumentException if there is none of that name
    public static SchedulerSnapshot snapshot(String name) {
        return snapshot(name, kernel(name));
    }

    /// The goroutines of one scheduler: at most `limit`, with at most `frames` frames each.
    ///
    /// @throws IllegalArgumentException if there is none of that name
    public static List<GoroutineStats> goroutines(String name, int limit, int frames) {
        return GoroutineReader.of(kernel(name), limit, frames);
    }

    /// A dump of one scheduler.
    ///
    /// @throws IllegalArgumentException if there is none of that name
    static GoroutineDump dump(String name) {
        return new GoroutineDump(snapshot(name), goroutines(name, Integer.MAX_VALUE, Integer.MAX_VALUE));
    }

    static SchedulerSnapshot snapshot(String name, Kernel kernel) {
        SchedulerStats stats = kernel.stats();
        List<ProcessorStats> processors = Inspector.processors(kernel);
        var machines = Inspector.machines(kernel);
        long blocked = machines.stream().filter(it -> it.blocked()).count();
        long computing = machines.stream()
                .filter(it -> it.goroutine() != 0 && (it.processor() >= 0 || it.hog()) && !it.blocked())
                .count();
        long queued = stats.globalQueue();
        for (ProcessorStats processor : processors) {
            queued += processor.runQueue() + (processor.runNext() ? 1 : 0);
        }
        // The counters were read at different times: keep the differences from becoming negative.
        long live = Math.max(0, stats.live());
        long running = Math.min(computing, live);
        long notInGo = Math.min(blocked, live - running);
        long runnable = Math.min(queued, live - running - notInGo);
        return new SchedulerSnapshot(
                name,
                Inspector.isDefault(kernel),
                System.nanoTime(),
                stats,
                processors,
                machines,
                Inspector.latencies(kernel),
                limits(kernel.limits()),
                Inspector.created(kernel),
                runnable,
                running,
                notInGo,
                live - running - notInGo - runnable);
    }

    private static LimitStats limits(ProcsWatcher watcher) {
        CpuLimits limits = watcher.limits();
        CpuQuota quota = limits.quota();
        return new LimitStats(
                watcher.decision().explain(),
                watcher.decision().settings().isExplicit(),
                limits.cpus(),
                quota == null ? 0 : quota.cpus(),
                limits.throttling().periods(),
                limits.throttling().throttledPeriods(),
                limits.throttling().throttledNanos(),
                watcher.isThrottledNow());
    }
}
