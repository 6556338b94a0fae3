package dev.heddle.client;

import dev.heddle.stats.LatencyStats;
import dev.heddle.stats.ProcessorStats;
import dev.heddle.stats.SchedulerStats;
import java.util.function.ToLongFunction;

/// What happened between two samples, per second.
///
/// @param before the earlier sample
/// @param now    the later one, of the same scheduler
public record TopRates(TopSample before, TopSample now) {

    private double seconds() {
        return Math.max(1e-9, (now.scheduler().nanoTime() - before.scheduler().nanoTime()) / 1e9);
    }

    public double of(ToLongFunction<SchedulerStats> figure) {
        return (figure.applyAsLong(now.scheduler().stats())
                        - figure.applyAsLong(before.scheduler().stats()))
                / seconds();
    }

    /// Of a processor that is perhaps new.
    public double of(ProcessorStats processor, ToLongFunction<ProcessorStats> figure) {
        var earlier = before.scheduler().processors();
        long then = processor.id() < earlier.size() ? figure.applyAsLong(earlier.get(processor.id())) : 0;
        return (figure.applyAsLong(processor) - then) / seconds();
    }

    public double handOffs() {
        return of(it -> it.blockedHandOffs() + it.undeclaredHandOffs() + it.hogHandOffs());
    }

    public double started() {
        return (now.scheduler().created() - before.scheduler().created()) / seconds();
    }

    /// The CPU time that the process used: 1 stands for one whole CPU.
    public double cpus() {
        long nanos = now.jvm().nanoTime() - before.jvm().nanoTime();
        return nanos <= 0 ? 0 : Math.max(0, now.jvm().cpuNanos() - before.jvm().cpuNanos()) / (double) nanos;
    }

    /// The share of the time in which collections stopped the program.
    public double pauses() {
        long nanos = now.jvm().nanoTime() - before.jvm().nanoTime();
        return nanos <= 0 ? 0 : (now.jvm().gcMillis() - before.jvm().gcMillis()) * 1e6 / nanos;
    }

    LatencyStats latency() {
        return now.scheduler().latency().since(before.scheduler().latency());
    }

    long throttledPeriods() {
        return now.scheduler().limits().throttledPeriods()
                - before.scheduler().limits().throttledPeriods();
    }

    long throttledNanos() {
        return now.scheduler().limits().throttledNanos()
                - before.scheduler().limits().throttledNanos();
    }
}
