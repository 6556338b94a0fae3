package dev.heddle.doctor;

import dev.heddle.stats.LimitStats;
import java.util.Optional;

/// GOMAXPROCS is below the number of CPUs that the process may use, and goroutines wait for a processor.
final class ProcsBelowCpusRule implements Rule {

    /// Share of the samples with no idle processor and a non-empty queue: nearly all the time.
    private static final double SHARE = 0.8;

    @Override
    public Cause cause() {
        return Cause.PROCS_BELOW_CPUS;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        LimitStats limits = seen.last().snapshot().limits();
        int procs = seen.last().snapshot().stats().procs();
        int could = CpuAllowance.of(limits).defaultProcs();
        double waiting = seen.share(
                it -> it.snapshot().stats().idleProcs() == 0 && it.snapshot().runnable() > 0);
        if (procs >= could || waiting < SHARE) {
            return Optional.empty();
        }
        return Optional.of(Finding.of(
                Cause.PROCS_BELOW_CPUS,
                "GOMAXPROCS is %d, and the process may use %s (%s)"
                        .formatted(procs, CpuAllowance.describe(limits), limits.explanation()),
                "at %.0f %% of the looks no processor was free and goroutines waited for one, %.1f on average"
                        .formatted(waiting * 100, seen.mean(it -> it.snapshot().runnable()))));
    }
}
