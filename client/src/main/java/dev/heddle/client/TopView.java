package dev.heddle.client;

import dev.heddle.stats.LatencyStats;
import dev.heddle.stats.ProcessorStats;
import dev.heddle.stats.SchedulerSnapshot;
import dev.heddle.stats.SchedulerStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The display of `heddle top` as lines: what a scheduler did between two samples. The most important lines come first,
/// and 80 columns and 24 lines suffice; with more room it shows more.
public final class TopView {

    private static final String[] STATUS = {"idle", "running", "?", "stopped", "dead"};

    /// A 99th percentile of fewer samples would be the maximum.
    private static final int ENOUGH_SAMPLES = 100;

    /// From this width on, processors have all their columns.
    private static final int WIDE = 110;

    private static final int LABEL = 12;
    private static final int MIN_PROCESSORS = 2;
    private static final int MIN_THREADS = 6;
    private static final int STATE = 15;
    private static final int MIN_NAME = 4;
    private static final int NAME = 12;
    private static final int WIDE_NAME = 32;

    private final TopSample now;
    private final TopRates rates;

    /// @param before an earlier sample of the same scheduler
    /// @param now    the sample to show
    public TopView(TopSample before, TopSample now) {
        this.now = now;
        this.rates = new TopRates(before, now);
    }

    /// @param order  the order of the threads
    /// @param height the maximum number of lines
    /// @param width  the maximum length of a line; longer ones are continued or cut off
    public List<String> lines(long pid, ThreadOrder order, int height, int width) {
        List<String> lines = new ArrayList<>();
        addSummary(lines, pid, width);
        int room = height - lines.size() - 4; // two empty lines and two headings
        int processors = now.scheduler().processors().size();
        int threads = Math.min(now.threads().size(), MIN_THREADS);
        lines.add("");
        addProcessors(lines, Math.max(MIN_PROCESSORS, Math.min(processors, room - threads)), width);
        if (!now.threads().isEmpty()) {
            lines.add("");
            addThreads(lines, order, height - lines.size() - 1, width);
        }
        return lines.stream()
                .limit(height)
                .map(it -> it.length() > width ? it.substring(0, width) : it)
                .toList();
    }

    private void addSummary(List<String> lines, long pid, int width) {
        SchedulerSnapshot scheduler = now.scheduler();
        SchedulerStats stats = scheduler.stats();
        lines.add(text(
                "heddle top: process %d, up %s, scheduler %s%s",
                pid,
                time(stats.millis() * 1_000_000),
                scheduler.name(),
                scheduler.jvmWide() ? " (every virtual thread)" : ""));
        add(
                lines,
                width,
                "CPU",
                text("%.0f %% of %d %%", rates.cpus() * 100, now.jvm().cpus() * 100),
                text(
                        "heap %s of %s",
                        bytes(now.jvm().heapUsed()), bytes(now.jvm().heapMax())),
                text("collections %.1f %%", rates.pauses() * 100),
                text("%d platform threads", now.jvm().threads()));
        add(lines, width, "goroutines", parts(text("%,d live: %s", stats.live(), scheduler.states())));
        add(lines, width, "threads", parts(text("%,d: %s", stats.threads(), scheduler.threadStates())));
        lines.add(runnable(width));
        lines.add(latency());
        if (rates.throttledPeriods() > 0) {
            lines.add(text(
                    "THROTTLED   by the CPU quota in %d periods, %s",
                    rates.throttledPeriods(), time(rates.throttledNanos())));
        }
        add(
                lines,
                width,
                "per second",
                text("%,.0f started", rates.started()),
                text("%,.0f switches", rates.of(SchedulerStats::switches)),
                text("%,.0f steals", rates.of(SchedulerStats::steals)),
                text("%,.0f wakes", rates.of(SchedulerStats::wakes)),
                text("%,.0f hand-offs", rates.handOffs()),
                text("%,.0f preemptions", rates.of(SchedulerStats::preemptions)),
                text("%,.0f timers", rates.of(SchedulerStats::timersFired)));
        add(
                lines,
                width,
                "processors",
                text("%d of %d idle", stats.idleProcs(), stats.procs()),
                text("global queue %,d", stats.globalQueue()),
                text("%,d timers", stats.timers()),
                scheduler.limits().explanation());
    }

    private String runnable(int width) {
        Optional<ThreadTime> longest = now.longestRunnable();
        if (longest.isEmpty()) {
            return now.scheduler().runnable() == 0
                    ? "runnable    no thread waits for a processor"
                    : "runnable    for how long is not known";
        }
        ThreadTime thread = longest.get();
        String who = text(
                "runnable    longest %s: goroutine %d%s in ",
                thread.text(), thread.id(), thread.name().isEmpty() ? "" : " \"" + thread.name() + "\"");
        return who + place(thread.place(), width - who.length());
    }

    private String latency() {
        LatencyStats latency = rates.latency();
        String when = "since the last picture";
        if (latency.count() < ENOUGH_SAMPLES) {
            latency = now.scheduler().latency();
            when = "since the start";
        }
        if (latency.count() < ENOUGH_SAMPLES) {
            return text("latency     %d samples, too few to tell; %d are needed", latency.count(), ENOUGH_SAMPLES);
        }
        return text(
                "latency     p50 %s, p99 %s, max %s (%,d samples %s)",
                time(latency.quantile(0.5)),
                time(latency.quantile(0.99)),
                time(latency.quantile(1)),
                latency.count(),
                when);
    }

    private void addProcessors(List<String> lines, int room, int width) {
        lines.add(text("%3s %-7s %4s %5s %4s %6s", "P", "STATUS", "M", "QUEUE", "NEXT", "TIMERS")
                + text(" %11s %9s %9s %9s", "SWITCHES/s", "STEALS/s", "HANDOFF/s", "PREEMPT/s")
                + (width < WIDE ? "" : text(" %9s %9s %9s", "STOLEN/s", "SPINS/s", "WAKES/s")));
        List<ProcessorStats> all = now.scheduler().processors();
        boolean fits = all.size() <= room;
        for (ProcessorStats processor : all.subList(0, fits ? all.size() : room - 1)) {
            lines.add(text(
                            "%3d %-7s %4s %5d %4s %6d",
                            processor.id(),
                            STATUS[processor.status()],
                            processor.machine() < 0 ? "-" : Integer.toString(processor.machine()),
                            processor.runQueue(),
                            processor.runNext() ? "yes" : "-",
                            processor.timers())
                    + text(
                            " %,11.0f %,9.0f %,9.1f %,9.1f",
                            rates.of(processor, ProcessorStats::switches),
                            rates.of(processor, ProcessorStats::steals),
                            rates.of(processor, ProcessorStats::handOffs),
                            rates.of(processor, ProcessorStats::preemptions))
                    + (width < WIDE
                            ? ""
                            : text(
                                    " %,9.0f %,9.0f %,9.0f",
                                    rates.of(processor, ProcessorStats::stolenFrom),
                                    rates.of(processor, ProcessorStats::spins),
                                    rates.of(processor, ProcessorStats::wakes))));
        }
        if (!fits) {
            lines.add(text("    and %d more", all.size() - room + 1));
        }
    }

    private void addThreads(List<String> lines, ThreadOrder order, int room, int width) {
        List<ThreadTime> threads =
                order.sorted(now.threads()).stream().limit(Math.max(0, room)).toList();
        int longest = threads.stream().mapToInt(it -> it.name().length()).max().orElse(0);
        int nameWidth = Math.clamp(longest, MIN_NAME, width < WIDE ? NAME : WIDE_NAME);
        String row = "%9s %10s  %-" + STATE + "s %-" + nameWidth + "s ";
        String heading = text(row, "GOROUTINE", "TIME", "STATE", "NAME");
        lines.add(heading + "IN");
        threads.forEach(it ->
                lines.add(text(row, it.id(), it.text(), cut(it.reason(), STATE), cut(it.name(), nameWidth))
                        + place(it.place(), width - heading.length())));
    }

    /// A part of the display that is continued on the next line if the width does not suffice.
    private static void add(List<String> lines, int width, String label, String... parts) {
        StringBuilder line = new StringBuilder(text("%-" + LABEL + "s", label));
        for (int i = 0; i < parts.length; i++) {
            String part = parts[i] + (i == parts.length - 1 ? "" : ", ");
            if (line.length() > LABEL && line.length() + part.stripTrailing().length() > width) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(" ".repeat(LABEL));
            }
            line.append(part);
        }
        lines.add(line.toString());
    }

    private static String[] parts(String enumeration) {
        return enumeration.split(", ", -1);
    }

    private static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 1) + "~";
    }

    /// The end of a place tells more than its begin: file and line, then method and class, then packages.
    static String place(String place, int width) {
        return place.length() <= width ? place : "~" + place.substring(place.length() - Math.max(0, width - 1));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static String bytes(long bytes) {
        return bytes < 10L << 30 ? text("%,d MB", bytes >> 20) : text("%,d GB", bytes >> 30);
    }

    /// A duration in a suitable unit.
    static String time(long nanos) {
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        if (nanos < 1_000_000) {
            return text("%.1f us", nanos / 1e3);
        }
        if (nanos < 1_000_000_000) {
            return text("%.1f ms", nanos / 1e6);
        }
        long whole = nanos / 1_000_000_000;
        if (whole < 60) {
            return text("%.1f s", nanos / 1e9);
        }
        return whole < 3600 ? whole / 60 + "m" + whole % 60 + "s" : whole / 3600 + "h" + whole % 3600 / 60 + "m";
    }
}
