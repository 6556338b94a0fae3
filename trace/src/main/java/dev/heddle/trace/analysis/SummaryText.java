package dev.heddle.trace.analysis;

import dev.heddle.internal.trace.HandOffReason;
import dev.heddle.trace.Goroutine;
import dev.heddle.trace.Header;
import dev.heddle.trace.Recording;
import dev.heddle.trace.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// A summary as one page of text.
public final class SummaryText {

    private static final int MOST_KINDS = 8;
    private static final int MOST_REASONS = 8;
    private static final int MOST_PLACES = 8;
    private static final int MOST_PROCESSORS = 16;
    private static final int MOST_FACTS = 3;

    private final Summary summary;
    private final List<String> lines = new ArrayList<>();

    private SummaryText(Summary summary) {
        this.summary = summary;
    }

    public static List<String> of(Summary summary) {
        SummaryText text = new SummaryText(summary);
        text.write();
        return text.lines;
    }

    private void add(String line) {
        lines.add(line.stripTrailing());
    }

    private void write() {
        Recording recording = summary.recording();
        Header header = recording.header();
        add("%s: process %d, %s of Heddle %s on JDK %s"
                .formatted(
                        recording.file().getFileName(),
                        header.pid(),
                        header.isFlight() ? "a snapshot" : "a recording",
                        header.heddle(),
                        header.jvm()));
        if (!header.command().isEmpty()) {
            add("  %s".formatted(header.command()));
        }
        add("  %s, %,d events; %s; %s"
                .formatted(
                        Units.span(summary.nanos()),
                        summary.events(),
                        summary.pauses().count() == 0
                                ? "no pause of the garbage collector"
                                : "%d pauses of the garbage collector, %s together, the longest %s"
                                        .formatted(
                                                summary.pauses().count(),
                                                Units.span(summary.pauses().sum()),
                                                Units.span(summary.pauses().max())),
                        summary.throttled() == 0
                                ? "the quota never stopped it"
                                : "the quota stopped it for " + Units.span(summary.throttled())));
        recording.remarks().forEach(it -> add("  at %s: %s".formatted(Units.moment(it.time()), it.text())));
        for (SchedulerSummary scheduler : summary.schedulers()) {
            if (scheduler.goroutines() > 0 || summary.schedulers().size() == 1) {
                scheduler(scheduler);
            }
        }
        waits();
    }

    private void scheduler(SchedulerSummary scheduler) {
        add("");
        add("scheduler %s: GOMAXPROCS=%d, %d machines, %,d goroutines, at most %,d runnable at once"
                .formatted(
                        scheduler.name(),
                        scheduler.procs(),
                        scheduler.machines(),
                        scheduler.goroutines(),
                        scheduler.mostRunnable()));
        add("  %,d steals, %,d spills, %,d ends of a slice, processors handed off: %s"
                .formatted(
                        scheduler.steals(),
                        scheduler.spills(),
                        scheduler.preemptions(),
                        handOffs(scheduler.handOffs())));
        if (scheduler.stops().count() > 0) {
            add("  the world was stopped %d times, %s together, at most %s"
                    .formatted(
                            scheduler.stops().count(),
                            Units.span(scheduler.stops().sum()),
                            Units.span(scheduler.stops().max())));
        }
        states(scheduler);
        places(scheduler);
        latencies(scheduler);
        processors(scheduler);
        kinds(scheduler);
    }

    private static String handOffs(Map<HandOffReason, Long> handOffs) {
        String text = handOffs.entrySet().stream()
                .map(it -> it.getValue() + " "
                        + switch (it.getKey()) {
                            case DECLARED -> "in declared blocking operations";
                            case ASLEEP -> "found blocked";
                            case HOG -> "of hogs";
                        })
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? "none" : text;
    }

    private void states(SchedulerSummary scheduler) {
        add("");
        add("  %-28s %12s %10s %10s %10s %10s"
                .formatted("time of all goroutines", "total", "count", "p50", "p99", "max"));
        for (State state : List.of(State.RUNNING, State.WITHOUT_PROCESSOR, State.RUNNABLE, State.WAITING)) {
            add("  %-28s %12s".formatted(state, Units.span(scheduler.times().getOrDefault(state, 0L))));
        }
        scheduler.waits().entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, Distribution> it) ->
                                it.getValue().sum())
                        .reversed())
                .limit(MOST_REASONS)
                .forEach(it -> row("  " + it.getKey(), it.getValue()));
    }

    private void row(String name, Distribution times) {
        add("  %-28s %12s %,10d %10s %10s %10s"
                .formatted(
                        name,
                        Units.span(times.sum()),
                        times.count(),
                        Units.span(times.percentile(0.5)),
                        Units.span(times.percentile(0.99)),
                        Units.span(times.max())));
    }

    private void places(SchedulerSummary scheduler) {
        List<ParkPlace> all = scheduler.places();
        if (all.isEmpty()) {
            return; // stacks are recorded on request only
        }
        add("");
        add("  %-60s %9s %10s %10s %10s"
                .formatted("where goroutines parked, by stacks", "stacks", "waited", "p50", "max"));
        for (ParkPlace each : all.subList(0, Math.min(MOST_PLACES, all.size()))) {
            add("  %-60s %,9d %10s %10s %10s"
                    .formatted(
                            shorten(each.frame(), 60),
                            each.waits().count(),
                            Units.span(each.waits().sum()),
                            Units.span(each.waits().percentile(0.5)),
                            Units.span(each.waits().max())));
        }
        if (all.size() > MOST_PLACES) {
            add("  and %d more places".formatted(all.size() - MOST_PLACES));
        }
    }

    private void latencies(SchedulerSummary scheduler) {
        add("");
        add("  %-28s %12s %10s %10s %10s %10s"
                .formatted("from runnable to running", "total", "count", "p50", "p99", "max"));
        for (Map.Entry<Goroutine.Cause, Distribution> each :
                scheduler.latencies().entrySet()) {
            row(each.getKey().name().toLowerCase(Locale.ROOT), each.getValue());
        }
        row("all", scheduler.latency());
        row("length of a run", scheduler.runs());
    }

    private void processors(SchedulerSummary scheduler) {
        add("");
        add("  %-6s %10s %10s %12s   %s".formatted("", "running", "owned", "runs", "stolen from"));
        List<ProcessorTotals> all = scheduler.processors();
        for (ProcessorTotals each : all.subList(0, Math.min(MOST_PROCESSORS, all.size()))) {
            if (each.id() >= 0) {
                String stolen = each.stolen().entrySet().stream()
                        .map(it -> "P%d: %,d".formatted(it.getKey(), it.getValue()))
                        .collect(Collectors.joining(", "));
                add("  P%-5d %10s %10s %,12d   %s"
                        .formatted(
                                each.id(),
                                Units.percent(each.running(), summary.nanos()),
                                Units.percent(each.owned(), summary.nanos()),
                                each.runs(),
                                stolen));
            }
        }
        if (all.size() > MOST_PROCESSORS) {
            add("  and %d more processors".formatted(all.size() - MOST_PROCESSORS));
        }
    }

    private void kinds(SchedulerSummary scheduler) {
        add("");
        add("  %-36s %8s %9s %10s %10s %10s %10s"
                .formatted("goroutines by body", "number", "runs", "running", "without P", "runnable", "longest"));
        List<KindTotals> all = scheduler.kinds();
        for (KindTotals each : all.subList(0, Math.min(MOST_KINDS, all.size()))) {
            add("  %-36s %,8d %,9d %10s %10s %10s %10s"
                    .formatted(
                            shorten(each.kind(), 36),
                            each.goroutines(),
                            each.runs(),
                            Units.span(each.running()),
                            Units.span(each.withoutProcessor()),
                            Units.span(each.runnable()),
                            Units.span(each.longestRunnable())));
        }
        if (all.size() > MOST_KINDS) {
            add("  and %d more kinds".formatted(all.size() - MOST_KINDS));
        }
    }

    /// The end of a long name says more than its start.
    private static String shorten(String name, int width) {
        return name.length() <= width ? name : ".." + name.substring(name.length() - width + 2);
    }

    private void waits() {
        add("");
        add("the longest waits for a processor:");
        if (summary.longestWaits().isEmpty()) {
            add("  none");
        }
        for (RunnableWait wait : summary.longestWaits()) {
            String others = wait.others() == 0 ? "" : ", and %,d like it".formatted(wait.others());
            add("  %-9s at %s, %s, %s%s"
                    .formatted(Units.span(wait.nanos()), Units.moment(wait.from()), wait.label(), wait.kind(), others));
            add("            %s".formatted(wait.verdict()));
            wait.facts().stream().limit(MOST_FACTS).forEach(it -> add("            - " + it));
        }
    }
}
