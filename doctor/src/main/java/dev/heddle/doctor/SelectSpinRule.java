package dev.heddle.doctor;

import dev.heddle.internal.observe.Sample;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Non-blocking channel operations that are repeated in a loop and find nothing.
final class SelectSpinRule implements Rule {

    /// A program whose twenty goroutines each poll every millisecond polls 20,000 times a second. A loop that does
    /// nothing else polls millions of times.
    private static final double PER_SECOND = 50_000;

    /// Share of the intervals between samples with at least half that rate: constant spinning, not a burst.
    private static final double SHARE = 0.8;

    @Override
    public Cause cause() {
        return Cause.SELECT_SPIN;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        double rate = seen.rate(Sample::vainPolls);
        if (rate < PER_SECOND || shareOfSpinning(seen) < SHARE) {
            return Optional.empty();
        }
        double cpus = seen.rate(Sample::cpuNanos) / 1e9;
        Finding finding = Finding.of(
                Cause.SELECT_SPIN,
                "%,.0f times a second a tryReceive, trySend or select with a default found nothing".formatted(rate),
                "the process used %.1f CPUs meanwhile".formatted(cpus));
        return Optional.of(spinner(seen).map(finding::at).orElse(finding));
    }

    private static double shareOfSpinning(Observation seen) {
        List<Sample> samples = seen.samples();
        int spinning = 0;
        for (int i = 1; i < samples.size(); i++) {
            Sample before = samples.get(i - 1);
            Sample after = samples.get(i);
            double seconds = (after.snapshot().nanoTime() - before.snapshot().nanoTime()) / 1e9;
            if (after.vainPolls() - before.vainPolls() >= PER_SECOND / 2 * seconds) {
                spinning++;
            }
        }
        return (double) spinning / (samples.size() - 1);
    }

    /// The most likely culprit: ranked by the number of sightings in a poll, by code that polls, and by how
    /// often it was busy.
    private static Optional<GoroutineSample> spinner(Observation seen) {
        CodeReader code = new CodeReader(seen.classes());
        return GoroutineSample.byGoroutine(seen).stream()
                .max(Comparator.comparingDouble((List<GoroutineSample> it) -> GoroutineSample.busyShare(it)
                                + it.stream().filter(SelectSpinRule::isInTheAct).count()
                                + (it.stream().anyMatch(s -> code.asksChannels(s.usersTop())) ? 1 : 0))
                        .thenComparingInt(List::size))
                .map(it -> it.stream()
                        .filter(s -> s.isBusy() && s.usersTop() != null)
                        .reduce((_, later) -> later)
                        .orElse(it.getLast()));
    }

    private static boolean isInTheAct(GoroutineSample sighting) {
        return sighting.isBusy()
                && sighting.frames().stream()
                        .anyMatch(it -> it.is("dev.heddle.Chan", "tryReceive", "tryReceiveAny", "trySend", "poll")
                                || it.className().equals("dev.heddle.Select"));
    }
}
