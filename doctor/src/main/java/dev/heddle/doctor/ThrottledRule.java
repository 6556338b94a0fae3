package dev.heddle.doctor;

import dev.heddle.stats.LimitStats;
import java.util.Optional;

/// The operating system stops the process because its CPU quota is used up.
final class ThrottledRule implements Rule {

    /// Share of the periods that were throttled. One in ten shows in the 99th percentile.
    private static final double SHARE = 0.1;

    /// Minimum number of periods: half a second at the usual 100 ms.
    private static final long PERIODS = 5;

    @Override
    public Cause cause() {
        return Cause.THROTTLED;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        long periods = seen.growth(it -> it.snapshot().limits().periods());
        long throttled = seen.growth(it -> it.snapshot().limits().throttledPeriods());
        if (periods < PERIODS || throttled < SHARE * periods) {
            return Optional.empty();
        }
        LimitStats limits = seen.last().snapshot().limits();
        return Optional.of(Finding.of(
                Cause.THROTTLED,
                describe(seen),
                "the process may use %s, and GOMAXPROCS is %d"
                        .formatted(
                                CpuAllowance.describe(limits),
                                seen.last().snapshot().stats().procs())));
    }

    static String describe(Observation seen) {
        long periods = seen.growth(it -> it.snapshot().limits().periods());
        if (periods == 0) {
            return "there is no CPU quota that could stop it";
        }
        return "it was stopped in %d of %d periods of its quota, for %.0f ms in all"
                .formatted(
                        seen.growth(it -> it.snapshot().limits().throttledPeriods()),
                        periods,
                        seen.growth(it -> it.snapshot().limits().throttledNanos()) / 1e6);
    }
}
