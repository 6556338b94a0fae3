package dev.heddle.doctor;

import dev.heddle.stats.LimitStats;
import java.util.Optional;

/// Many more processors than CPUs, and most of them in use.
final class ProcsAboveCpusRule implements Rule {

    /// Below twice the default, the operating system shares the CPUs without a noticeable effect.
    private static final double TIMES = 2;

    /// Idle processors do no harm: on average, 1.5 times as many must be busy as there are CPUs.
    private static final double BUSY = 1.5;

    @Override
    public Cause cause() {
        return Cause.PROCS_ABOVE_CPUS;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        LimitStats limits = seen.last().snapshot().limits();
        CpuAllowance allowed = CpuAllowance.of(limits);
        int procs = seen.last().snapshot().stats().procs();
        double busy = seen.mean(
                it -> it.snapshot().stats().procs() - it.snapshot().stats().idleProcs());
        if (procs < TIMES * allowed.defaultProcs() || busy < BUSY * allowed.cpus()) {
            return Optional.empty();
        }
        return Optional.of(Finding.of(
                Cause.PROCS_ABOVE_CPUS,
                "GOMAXPROCS is %d, and the process may use %s; the default would be %d"
                        .formatted(procs, CpuAllowance.describe(limits), allowed.defaultProcs()),
                "%.1f processors were at work on average, so that threads took turns on the CPUs".formatted(busy),
                ThrottledRule.describe(seen)));
    }
}
