package dev.heddle.doctor;

import dev.heddle.internal.observe.Sample;
import java.util.Optional;

/// Garbage collections take a large part of the time.
final class GcPressureRule implements Rule {

    /// Share of the wall-clock time. A tenth is usual under load; at a quarter, collections determine the latency.
    private static final double SHARE = 0.25;

    /// Average share of the heap in use. Below it, collections come from explicit `System.gc()` calls or from
    /// start-up.
    private static final double FULL = 0.4;

    @Override
    public Cause cause() {
        return Cause.GC_PRESSURE;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        long millis = seen.growth(Sample::gcMillis);
        double share = millis / (seen.seconds() * 1e3);
        double full = seen.mean(it -> (double) it.heapUsed() / it.heapMax());
        if (share < SHARE || full < FULL) {
            return Optional.empty();
        }
        return Optional.of(Finding.of(
                Cause.GC_PRESSURE,
                "%,d ms of %.1f s were spent in collections".formatted(millis, seen.seconds()),
                "%.0f %% of a heap of %,d MB were in use"
                        .formatted(full * 100, seen.last().heapMax() >> 20)));
    }
}
