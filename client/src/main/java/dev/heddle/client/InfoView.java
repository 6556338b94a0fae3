package dev.heddle.client;

import dev.heddle.stats.LatencyStats;
import dev.heddle.stats.ProcessorStats;
import dev.heddle.stats.SchedulerSnapshot;
import dev.heddle.stats.SchedulerStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The text of `heddle info`: the figures of one scheduler now, and its counters since the start. They are those of
/// `heddle top` and of the metrics, in the same words.
public final class InfoView {

    /// A 99th percentile of fewer samples would be the maximum.
    private static final int ENOUGH_SAMPLES = 100;

    private final SchedulerSnapshot now;

    public InfoView(SchedulerSnapshot now) {
        this.now = now;
    }

    public List<String> lines() {
        SchedulerStats stats = now.stats();
        List<String> lines = new ArrayList<>();
        add(
                lines,
                "scheduler %s%s, up %s",
                now.name(),
                now.jvmWide() ? " (every virtual thread of the JVM)" : "",
                TopView.time(stats.millis() * 1_000_000));
        add(lines, "%s", now.limits().explanation());
        add(lines, "goroutines  %,d live: %s; %,d started", stats.live(), now.states(), now.created());
        add(lines, "threads     %,d: %s", stats.threads(), now.threadStates());
        add(
                lines,
                "processors  %d: %d idle; queued: %,d local, %,d global; %,d timers",
                stats.procs(),
                stats.idleProcs(),
                locallyQueued(),
                stats.globalQueue(),
                stats.timers());
        add(
                lines,
                "counters    %,d switches, %,d steals, %,d wakes, %,d preemptions, %,d timers fired",
                stats.switches(),
                stats.steals(),
                stats.wakes(),
                stats.preemptions(),
                stats.timersFired());
        add(
                lines,
                "hand-offs   %,d from declared blocking, %,d from undeclared blocking, %,d from hogs",
                stats.blockedHandOffs(),
                stats.undeclaredHandOffs(),
                stats.hogHandOffs());
        lines.add(latency());
        if (now.limits().quotaCpus() > 0) {
            add(
                    lines,
                    "CPU quota   throttled in %,d of %,d periods, for %s",
                    now.limits().throttledPeriods(),
                    now.limits().periods(),
                    TopView.time(now.limits().throttledNanos()));
        }
        return lines;
    }

    private long locallyQueued() {
        long queued = 0;
        for (ProcessorStats processor : now.processors()) {
            queued += processor.runQueue() + (processor.runNext() ? 1 : 0);
        }
        return queued;
    }

    private String latency() {
        LatencyStats latency = now.latency();
        return latency.count() < ENOUGH_SAMPLES
                ? String.format(
                        Locale.ROOT,
                        "latency     %d samples, too few to tell; %d are needed",
                        latency.count(),
                        ENOUGH_SAMPLES)
                : String.format(
                        Locale.ROOT,
                        "latency     from runnable to running: p50 %s, p99 %s, max %s (%,d samples since the start)",
                        TopView.time(latency.quantile(0.5)),
                        TopView.time(latency.quantile(0.99)),
                        TopView.time(latency.quantile(1)),
                        latency.count());
    }

    private static void add(List<String> lines, String format, Object... values) {
        lines.add(String.format(Locale.ROOT, format, values));
    }
}
