package dev.heddle.internal.observe;

import dev.heddle.internal.procs.CpuLimits;
import dev.heddle.internal.procs.CpuQuota;

/// Compares the CPU quota's figures of one period with those of the last, and reports throttling in between. One
/// thread: the flight recorder's, which calls periodic events.
final class ThrottlingWatch {

    private boolean isFirst = true;
    private long periods;
    private long nanos;

    void report(CpuLimits limits) {
        long periodsBefore = periods;
        long nanosBefore = nanos;
        periods = limits.throttling().throttledPeriods();
        nanos = limits.throttling().throttledNanos();
        if (!isFirst && periods > periodsBefore) {
            CpuQuota quota = limits.quota();
            ThrottlingEvent event = new ThrottlingEvent();
            event.throttledPeriods = periods - periodsBefore;
            event.throttledTime = nanos - nanosBefore;
            event.quotaCpus = quota == null ? 0 : quota.cpus();
            event.commit();
        }
        isFirst = false;
    }
}
