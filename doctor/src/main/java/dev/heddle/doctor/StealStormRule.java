package dev.heddle.doctor;

import java.util.Optional;

/// Goroutines so short that about every third one costs a steal.
///
/// Stealing is how the load is shared, and a few thousand steals a second cost little. It hurts when much of what runs
/// was just taken from the queue of another core.
final class StealStormRule implements Rule {

    /// Steals per second and processor. At 20,000 a processor steals every 50 us, about the time in which a thread
    /// wakes up.
    private static final double PER_PROC = 20_000;

    /// Steals per switch: about every third switch costs a steal.
    private static final double PER_SWITCH = 0.3;

    @Override
    public Cause cause() {
        return Cause.STEAL_STORM;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        double steals = seen.rate(it -> it.snapshot().stats().steals());
        double switches = seen.rate(it -> it.snapshot().stats().switches());
        int procs = seen.last().snapshot().stats().procs();
        if (steals < PER_PROC * procs || steals < PER_SWITCH * switches) {
            return Optional.empty();
        }
        return Optional.of(Finding.of(
                Cause.STEAL_STORM,
                "%,.0f steals a second on %d processors, for %,.0f goroutines run".formatted(steals, procs, switches),
                "%,.0f goroutines were started a second"
                        .formatted(seen.rate(it -> it.snapshot().created()))));
    }
}
