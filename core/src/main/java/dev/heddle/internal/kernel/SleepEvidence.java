package dev.heddle.internal.kernel;

/// Consecutive samples at which a thread slept, with nothing run in between: the proof of one uninterrupted sleep.
///
/// A second sample of the same sleep is needed, because most waits are over by then. Two different short waits must not
/// be mistaken for one long wait. So two samples count together only if the thread used no CPU time between them and
/// was not scheduled between them, where the operating system reports how often a thread was scheduled. How late the
/// samples come does not matter. System monitor only.
final class SleepEvidence {
    private int samples;

    /// When the sleep was first sampled.
    private long since;

    private long timesScheduled;
    private long cpuNanos;

    /// The CPU time of the thread at the last sample, and since when it has been unchanged.
    private long stillCpu = -1;

    private long stillSince;

    void reset() {
        samples = 0;
        stillCpu = -1;
    }

    /// Records a sample at which the thread slept, and returns the number of samples of this sleep. Unknown values
    /// are -1.
    int asleep(long timesScheduled, long cpuNanos, long now) {
        if (samples > 0 && (timesScheduled != this.timesScheduled || cpuNanos != this.cpuNanos)) {
            samples = 0; // it ran in between: this is another sleep
        }
        if (samples == 0) {
            since = now;
        }
        this.timesScheduled = timesScheduled;
        this.cpuNanos = cpuNanos;
        return ++samples;
    }

    /// When the sleep of the last sample was first sampled. Valid if the thread slept then.
    long since() {
        return since;
    }

    /// Records a sample at which the thread was awake, and returns 0.
    int awake() {
        samples = 0;
        return 0;
    }

    /// Records a sample on a system that does not report whether a thread sleeps. The thread counts as asleep
    /// once it has used no CPU time for `nanos`; the result is then 2, else 0. A sample that came unusually
    /// late proves nothing, since the thread may have been starved of the CPU like the monitor. Where the CPU
    /// time is unknown too (-1), no thread counts as asleep.
    int unknown(long cpuNanos, long now, long nanos, boolean overslept) {
        if (cpuNanos < 0) {
            return 0;
        }
        if (cpuNanos != stillCpu || overslept) {
            stillCpu = cpuNanos;
            stillSince = now;
            samples = 0;
            return 0;
        }
        if (now - stillSince < nanos) {
            return 0;
        }
        samples = 2;
        since = stillSince;
        return samples;
    }
}
