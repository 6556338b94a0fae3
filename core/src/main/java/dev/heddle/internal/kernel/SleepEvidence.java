package dev.heddle.internal.kernel;

/// Consecutive samples at which a thread slept, with nothing run in between: the proof of one uninterrupted
/// sleep.
///
/// A second sample of the same sleep is needed, because most waits are over by then. Two different short waits
/// must not be taken for a long one, so the samples count together only if the thread used no CPU time between
/// them and, where the operating system says how often a thread was scheduled, was not scheduled. How late the
/// samples come does not matter. System monitor only.
final class SleepEvidence {
    private int samples;
    private long timesScheduled;
    private long cpuNanos;

    /// The CPU time at which the thread was last seen to stand still, and since when.
    private long stillCpu = -1;

    private long stillSince;

    void reset() {
        samples = 0;
        stillCpu = -1;
    }

    int samples() {
        return samples;
    }

    /// The thread sleeps. Values that are not known are -1.
    void asleep(long timesScheduled, long cpuNanos) {
        if (samples > 0 && (timesScheduled != this.timesScheduled || cpuNanos != this.cpuNanos)) {
            samples = 0; // it ran in between: another sleep
        }
        this.timesScheduled = timesScheduled;
        this.cpuNanos = cpuNanos;
        samples++;
    }

    /// The thread was seen awake.
    void awake() {
        samples = 0;
    }

    /// Where nobody says whether the thread sleeps: it counts as asleep once it has used no CPU time for
    /// `nanos`. A sample that came unusually late proves nothing: the thread may have been starved of the CPU
    /// like the monitor.
    boolean hasStoodStill(long cpuNanos, long now, long nanos, boolean overslept) {
        if (cpuNanos != stillCpu || overslept) {
            stillCpu = cpuNanos;
            stillSince = now;
            samples = 0;
            return false;
        }
        if (now - stillSince < nanos) {
            return false;
        }
        samples = 2;
        return true;
    }
}
