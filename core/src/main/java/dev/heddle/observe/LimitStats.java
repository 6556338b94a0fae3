package dev.heddle.observe;

import dev.heddle.internal.procs.CpuLimits;
import dev.heddle.internal.procs.CpuQuota;
import dev.heddle.internal.procs.ProcsWatcher;
import java.io.Serializable;

/// What the number of processors follows from, and whether the CPU quota stops the process.
///
/// @param explanation      the number and why, as `heddle procs` says it
/// @param explicit         whether somebody set the number
/// @param cpus             CPUs that the process may use
/// @param quotaCpus        CPUs' worth of time that its cgroup allows; 0 if there is no quota
/// @param periods          periods of the quota
/// @param throttledPeriods of them, those in which the process was stopped
/// @param throttledNanos   for how long, added up over CPUs
/// @param throttledNow     whether it was between the last two looks of the system monitor
public record LimitStats(
        String explanation,
        boolean explicit,
        int cpus,
        double quotaCpus,
        long periods,
        long throttledPeriods,
        long throttledNanos,
        boolean throttledNow)
        implements Serializable {

    static LimitStats of(ProcsWatcher watcher) {
        CpuLimits limits = watcher.limits();
        CpuQuota quota = limits.quota();
        return new LimitStats(
                watcher.decision().explain(),
                watcher.decision().settings().isExplicit(),
                limits.cpus(),
                quota == null ? 0 : quota.cpus(),
                limits.throttling().periods(),
                limits.throttling().throttledPeriods(),
                limits.throttling().throttledNanos(),
                watcher.isThrottledNow());
    }
}
