package dev.heddle.doctor;

import dev.heddle.observe.Sample;
import java.util.Optional;

/// The collector takes a good part of the time.
final class GcPressureRule implements Rule {

    /// Of the wall clock. A tenth is usual under load; at a quarter, collections decide the latency.
    private static final double SHARE = 0.25;

    @Override
    public Cause cause() {
        return Cause.GC_PRESSURE;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        long millis = seen.growth(Sample::gcMillis);
        double share = millis / (seen.seconds() * 1e3);
        if (share < SHARE) {
            return Optional.empty();
        }
        return Optional.of(Finding.of(
                Cause.GC_PRESSURE,
                "%,d ms of %.1f s were spent in collections".formatted(millis, seen.seconds()),
                "%,d MB of heap in use".formatted(seen.last().heapUsed() >> 20)));
    }
}
