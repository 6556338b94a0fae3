package dev.heddle.doctor;

import dev.heddle.stats.LimitStats;

/// How much CPU time the process may use, in CPUs.
///
/// @param cpus         the limit by affinity and quota together
/// @param defaultProcs the number of processors that Go's rule would give (F71)
record CpuAllowance(double cpus, int defaultProcs) {

    static CpuAllowance of(LimitStats limits) {
        if (limits.quotaCpus() <= 0) {
            return new CpuAllowance(limits.cpus(), limits.cpus());
        }
        int byQuota = Math.max(2, (int) Math.ceil(limits.quotaCpus()));
        return new CpuAllowance(Math.min(limits.cpus(), limits.quotaCpus()), Math.min(limits.cpus(), byQuota));
    }

    static String describe(LimitStats limits) {
        return limits.quotaCpus() > 0
                ? "%d CPUs by affinity, %.2f by its quota".formatted(limits.cpus(), limits.quotaCpus())
                : "%d CPUs".formatted(limits.cpus());
    }
}
