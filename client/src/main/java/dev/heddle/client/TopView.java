package dev.heddle.client;

import dev.heddle.stats.LatencyStats;
import dev.heddle.stats.ProcessorStats;
import dev.heddle.stats.SchedulerSnapshot;
import dev.heddle.stats.SchedulerStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/// The display of `heddle top` as lines: what a scheduler did between two snapshots.
public final class TopView {

    private static final String[] STATUS = {"idle", "running", "?", "stopped", "dead"};

    private final SchedulerSnapshot before;
    private final SchedulerSnapshot now;
    private final double seconds;

    /// @param before an earlier snapshot of the same scheduler
    /// @param now    the snapshot to show
    public TopView(SchedulerSnapshot before, SchedulerSnapshot now) {
        this.before = before;
        this.now = now;
        this.seconds = Math.max(1e-9, (now.nanoTime() - before.nanoTime()) / 1e9);
    }

    /// @param waits  the waiting goroutines, the longest wait first
    /// @param height the maximum number of lines
    /// @param width  longer lines are cut off
    public List<String> lines(long pid, List<WaitTimes.Wait> waits, int height, int width) {
        SchedulerStats stats = now.stats();
        List<String> lines = new ArrayList<>();
        add(
                lines,
                "heddle top: process %d, scheduler %s%s, up %s",
                pid,
                now.name(),
                now.jvmWide() ? " (every virtual thread of the JVM)" : "",
                time(stats.millis() * 1_000_000));
        add(lines, "%s", now.limits().explanation());
        add(
                lines,
                "goroutines  %,d live: %s; %,.0f started per second",
                stats.live(),
                now.states(),
                (now.created() - before.created()) / seconds);
        add(
                lines,
                "threads     %d: %s; %d of %d processors idle; global queue %,d; %,d timers",
                stats.threads(),
                now.threadStates(),
                stats.idleProcs(),
                stats.procs(),
                stats.globalQueue(),
                stats.timers());
        add(
                lines,
                "per second  %,.0f switches, %,.0f steals, %,.0f wakes, %,.0f hand-offs, %,.0f preemptions, %,.0f timers",
                rate(SchedulerStats::switches),
                rate(SchedulerStats::steals),
                rate(SchedulerStats::wakes),
                rate(it -> it.blockedHandOffs() + it.undeclaredHandOffs() + it.hogHandOffs()),
                rate(SchedulerStats::preemptions),
                rate(SchedulerStats::timersFired));
        lines.add(latency());
        if (now.limits().throttledPeriods() > before.limits().throttledPeriods()) {
            add(
                    lines,
                    "THROTTLED   by the CPU quota in %d periods, %s",
                    now.limits().throttledPeriods() - before.limits().throttledPeriods(),
                    time(now.limits().throttledNanos() - before.limits().throttledNanos()));
        }
        lines.add("");
        addProcessors(lines, Math.max(4, height - lines.size() - Math.min(waits.size(), 5) - 3));
        if (!waits.isEmpty()) {
            lines.add("");
            add(lines, "%12s %10s  %-24s %s", "GOROUTINE", "WAITS FOR", "REASON", "IN");
            waits.stream()
                    .limit(Math.max(0, height - lines.size()))
                    .forEach(it -> add(
                            lines,
                            "%12d %10s  %-24s %s",
                            it.id(),
                            it.exact() ? time(it.nanos()) : it.nanos() == 0 ? "?" : "> " + time(it.nanos()),
                            it.reason(),
                            it.place()));
        }
        return lines.stream()
                .limit(height)
                .map(it -> it.length() > width ? it.substring(0, width) : it)
                .toList();
    }

    private String latency() {
        LatencyStats latency = now.latency().since(before.latency());
        String when = "since the last look";
        if (latency.count() == 0) {
            latency = now.latency();
            when = "since the start";
        }
        return latency.count() == 0
                ? "latency     no sample yet"
                : String.format(
                        Locale.ROOT,
                        "latency     from runnable to running: p50 %s, p99 %s, max %s (%,d samples %s)",
                        time(latency.quantile(0.5)),
                        time(latency.quantile(0.99)),
                        time(latency.quantile(1)),
                        latency.count(),
                        when);
    }

    private void addProcessors(List<String> lines, int room) {
        add(
                lines,
                "%4s %-8s %5s %6s %5s %7s %12s %10s %10s %10s %10s %10s",
                "P",
                "STATUS",
                "M",
                "QUEUE",
                "NEXT",
                "TIMERS",
                "SWITCHES/s",
                "STEALS/s",
                "STOLEN/s",
                "HANDOFF/s",
                "PREEMPT/s",
                "SPINS/s");
        List<ProcessorStats> all = now.processors();
        for (ProcessorStats processor : all.subList(0, Math.min(all.size(), room))) {
            add(
                    lines,
                    "%4d %-8s %5s %6d %5s %7d %,12.0f %,10.0f %,10.0f %,10.1f %,10.1f %,10.0f",
                    processor.id(),
                    STATUS[processor.status()],
                    processor.machine() < 0 ? "-" : Integer.toString(processor.machine()),
                    processor.runQueue(),
                    processor.runNext() ? "yes" : "-",
                    processor.timers(),
                    rate(processor, ProcessorStats::switches),
                    rate(processor, ProcessorStats::steals),
                    rate(processor, ProcessorStats::stolenFrom),
                    rate(processor, ProcessorStats::handOffs),
                    rate(processor, ProcessorStats::preemptions),
                    rate(processor, ProcessorStats::spins));
        }
        if (all.size() > room) {
            add(lines, "     and %d more", all.size() - room);
        }
    }

    private double rate(ToLongFunction<SchedulerStats> figure) {
        return (figure.applyAsLong(now.stats()) - figure.applyAsLong(before.stats())) / seconds;
    }

    private double rate(ProcessorStats processor, ToLongFunction<ProcessorStats> figure) {
        long earlier = processor.id() < before.processors().size()
                ? figure.applyAsLong(before.processors().get(processor.id()))
                : 0;
        return (figure.applyAsLong(processor) - earlier) / seconds;
    }

    private static void add(List<String> lines, String format, Object... values) {
        lines.add(String.format(Locale.ROOT, format, values));
    }

    /// A duration in a suitable unit.
    static String time(long nanos) {
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        if (nanos < 1_000_000) {
            return String.format(Locale.ROOT, "%.1f us", nanos / 1e3);
        }
        if (nanos < 1_000_000_000) {
            return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
        }
        long whole = nanos / 1_000_000_000;
        if (whole < 60) {
            return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
        }
        return whole < 3600 ? whole / 60 + "m" + whole % 60 + "s" : whole / 3600 + "h" + whole % 3600 / 60 + "m";
    }
}
