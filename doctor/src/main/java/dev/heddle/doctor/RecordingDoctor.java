package dev.heddle.doctor;

import dev.heddle.trace.Recording;
import dev.heddle.trace.Replay;
import dev.heddle.trace.analysis.RunnableWait;
import dev.heddle.trace.analysis.SchedulerSummary;
import dev.heddle.trace.analysis.Summary;
import dev.heddle.trace.analysis.Units;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Finds problems in a recording of the scheduler.
///
/// A recording has every switch with its time, so it proves what samples can only suggest: which goroutine kept which
/// processor, and who waited for it meanwhile. It has no stacks of what computes, and says nothing about locks beyond
/// the reasons of waits: for these the doctor watches the process.
public final class RecordingDoctor {

    /// As long as a time slice: what waits for longer has been passed over by at least one run that was too long, or by
    /// many.
    static final long SLICE_NANOS = 10_000_000;

    /// A hog of one slice is what preemption by the monitor allows; two slices are seen by users.
    static final long LONG_RUN_NANOS = 2 * SLICE_NANOS;

    /// Whatever made it wait: at this length a user of a server notices.
    private static final long LONG_WAIT_NANOS = 50_000_000;

    /// One in a hundred wake-ups is as late as a slice.
    private static final double SHARE_OF_LATE_ONES = 0.99;

    /// The world is stopped for this share of the time, or once for as long as half a slice.
    private static final double SHARE_OF_STOPS = 0.01;

    private static final long LONG_STOP_NANOS = SLICE_NANOS / 2;

    private static final int WAITS_SHOWN = 3;

    private RecordingDoctor() {}

    /// The problems of all schedulers of a recording, the most urgent first. Reads it several times.
    ///
    /// @throws dev.heddle.trace.RecordingException if the recording contradicts itself
    public static List<RecordedFinding> examine(Recording recording) throws IOException {
        List<RecordedFinding> findings = new ArrayList<>();
        Occupation occupation = new Occupation();
        Replay.of(recording, occupation);
        findings.addAll(occupation.findings());
        Summary summary = Summary.of(recording, WAITS_SHOWN);
        for (SchedulerSummary scheduler : summary.schedulers()) {
            stops(scheduler, summary.nanos(), findings);
        }
        runnableWaits(summary, findings);
        findings.sort(Comparator.comparing(RecordedFinding::cause).thenComparing(RecordedFinding::scheduler));
        return findings;
    }

    private static void stops(SchedulerSummary scheduler, long nanos, List<RecordedFinding> into) {
        long sum = scheduler.stops().sum();
        if (sum > SHARE_OF_STOPS * nanos || scheduler.stops().max() > LONG_STOP_NANOS) {
            into.add(new RecordedFinding(
                    RecordedCause.WORLD_STOPPED,
                    scheduler.name(),
                    List.of("the world was stopped %d times for %s together, the longest for %s"
                            .formatted(
                                    scheduler.stops().count(),
                                    Units.span(sum),
                                    Units.span(scheduler.stops().max())))));
        }
    }

    private static void runnableWaits(Summary summary, List<RecordedFinding> into) {
        for (SchedulerSummary scheduler : summary.schedulers()) {
            long late = scheduler.latency().percentile(SHARE_OF_LATE_ONES);
            if (scheduler.latency().max() < LONG_WAIT_NANOS || late < SLICE_NANOS) {
                continue;
            }
            List<String> evidence = new ArrayList<>();
            evidence.add("of %,d waits for a processor one in a hundred took %s or more, the longest %s"
                    .formatted(
                            scheduler.latency().count(),
                            Units.span(late),
                            Units.span(scheduler.latency().max())));
            for (RunnableWait wait : summary.longestWaits()) {
                if (wait.scheduler() != scheduler.number()) {
                    continue;
                }
                evidence.add("%s (%s) was runnable for %s since %s: %s"
                        .formatted(
                                wait.label(),
                                wait.kind(),
                                Units.span(wait.nanos()),
                                Units.moment(wait.from()),
                                wait.verdict()));
            }
            into.add(new RecordedFinding(RecordedCause.RUNNABLE_WAIT, scheduler.name(), evidence));
        }
    }
}
