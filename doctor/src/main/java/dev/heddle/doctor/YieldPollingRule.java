package dev.heddle.doctor;

import dev.heddle.internal.observe.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Loops that ask again and again whether something has happened, and yield in between: a storm of switches in which
/// nothing happens.
final class YieldPollingRule implements Rule {

    /// Share of the dumps at which such a goroutine is busy: always, since a yield is over at once.
    private static final double ALWAYS = 0.9;

    /// Share of the dumps at which it is inside its loop.
    private static final double IN_LOOP = 0.7;

    private static final int SIGHTINGS = 3;

    /// Switches a second. A loop that computes for a time slice between two yields makes a hundred.
    private static final double SWITCHES = 5_000;

    private record Poller(GoroutineSample sample, PollingLoop loop) {}

    @Override
    public Cause cause() {
        return Cause.YIELD_POLLING;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        double switches = seen.rate(it -> it.snapshot().stats().switches());
        if (switches < SWITCHES) {
            return Optional.empty();
        }
        CodeReader code = new CodeReader(seen.classes());
        List<Poller> pollers = new ArrayList<>();
        for (List<GoroutineSample> sightings : GoroutineSample.byGoroutine(seen)) {
            if (sightings.size() >= SIGHTINGS && GoroutineSample.busyShare(sightings) >= ALWAYS) {
                poller(sightings, code).ifPresent(pollers::add);
            }
        }
        if (pollers.isEmpty()) {
            return Optional.empty();
        }
        Poller one = pollers.getLast();
        return Optional.of(Finding.of(
                        Cause.YIELD_POLLING,
                        "%,.0f switches a second; %s always runnable, in a loop that yields, at %s"
                                .formatted(
                                        switches,
                                        Words.goroutines(pollers.size()) + (pollers.size() == 1 ? " is" : " are"),
                                        one.loop().place()),
                        "that loop asks %s, and yields by %s"
                                .formatted(
                                        String.join(", ", one.loop().asks()),
                                        String.join(", ", one.loop().pauses())),
                        "the process used %.1f CPUs meanwhile".formatted(seen.rate(Sample::cpuNanos) / 1e9))
                .at(one.sample()));
    }

    private static Optional<Poller> poller(List<GoroutineSample> sightings, CodeReader code) {
        Poller last = null;
        int inLoop = 0;
        for (GoroutineSample sample : sightings) {
            Frame frame = sample.usersTop();
            PollingLoop loop = frame == null ? null : code.pollingLoop(frame, Call::yields);
            if (loop != null) {
                inLoop++;
                last = new Poller(sample, loop);
            }
        }
        return inLoop >= IN_LOOP * sightings.size() ? Optional.ofNullable(last) : Optional.empty();
    }
}
