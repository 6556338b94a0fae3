package dev.heddle.cli.web;

import dev.heddle.client.ThreadTime;
import dev.heddle.client.TopRates;
import dev.heddle.client.TopSample;
import dev.heddle.stats.LatencyStats;
import dev.heddle.stats.ProcessorStats;
import dev.heddle.stats.SchedulerSnapshot;
import dev.heddle.stats.SchedulerStats;

/// The figures of one scheduler at one moment, as the page plots them.
///
/// @param number   grows from point to point
/// @param millis   when, since the dashboard began
/// @param procs    processors
/// @param busy     of these, not idle
/// @param cpus     CPUs that the whole process used since the point before
/// @param cpuLimit CPUs that it may use
/// @param heap     used heap in bytes
/// @param heapMax  bytes that it may grow to
/// @param pauses   the share of the time, 0 to 1, in which collections stopped the program
/// @param live     goroutines
/// @param running  of these, on a processor, or computing without one
/// @param runnable of these, queued
/// @param waiting  of these, parked
/// @param local    entries in the queues of the processors
/// @param global   entries in the global queue
/// @param longest  nanoseconds for which a thread has been runnable; 0 if there is none, or it is not known
/// @param p50      the median of the nanoseconds from runnable to running; 0 if there are too few samples
/// @param p99      their 99th percentile; 0 if there are too few samples
/// @param blocked  carriers that their thread blocks in a system call
/// @param pinned   carriers that a pinned thread blocks
/// @param hogs     carriers that compute without a processor
/// @param spinning carriers that search for work
/// @param started  goroutines started per second
/// @param switches switches per second
/// @param steals   steals per second
/// @param handOffs hand-offs per second
/// @param preempts requests to yield per second
/// @param timers   timers fired per second
public record Point(
        long number,
        long millis,
        int procs,
        int busy,
        double cpus,
        int cpuLimit,
        long heap,
        long heapMax,
        double pauses,
        long live,
        long running,
        long runnable,
        long waiting,
        long local,
        int global,
        long longest,
        long p50,
        long p99,
        int blocked,
        int pinned,
        int hogs,
        int spinning,
        double started,
        double switches,
        double steals,
        double handOffs,
        double preempts,
        double timers) {

    /// A 99th percentile of fewer samples would be the maximum.
    private static final int ENOUGH_SAMPLES = 100;

    /// @param recent the latencies of the last seconds
    static Point of(long number, long millis, TopSample before, TopSample now, LatencyStats recent) {
        SchedulerSnapshot scheduler = now.scheduler();
        SchedulerStats stats = scheduler.stats();
        TopRates rates = new TopRates(before, now);
        boolean isEnough = recent.count() >= ENOUGH_SAMPLES;
        return new Point(
                number,
                millis,
                stats.procs(),
                stats.procs() - stats.idleProcs(),
                rounded(rates.cpus()),
                now.jvm().cpus(),
                now.jvm().heapUsed(),
                now.jvm().heapMax(),
                rounded(rates.pauses()),
                stats.live(),
                scheduler.running(),
                scheduler.runnable(),
                scheduler.waiting(),
                scheduler.processors().stream().mapToLong(Point::queued).sum(),
                stats.globalQueue(),
                now.longestRunnable().map(ThreadTime::nanos).orElse(0L),
                isEnough ? recent.quantile(0.5) : 0,
                isEnough ? recent.quantile(0.99) : 0,
                scheduler.blockedMachines() - scheduler.pinnedMachines(),
                scheduler.pinnedMachines(),
                scheduler.hogs(),
                stats.spinning(),
                rounded(rates.started()),
                rounded(rates.of(SchedulerStats::switches)),
                rounded(rates.of(SchedulerStats::steals)),
                rounded(rates.handOffs()),
                rounded(rates.of(SchedulerStats::preemptions)),
                rounded(rates.of(SchedulerStats::timersFired)));
    }

    private static long queued(ProcessorStats processor) {
        return processor.runQueue() + (processor.runNext() ? 1 : 0);
    }

    private static double rounded(double figure) {
        return Math.round(figure * 1000) / 1000.0;
    }
}
