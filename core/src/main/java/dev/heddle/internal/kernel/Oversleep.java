package dev.heddle.internal.kernel;

/// Distinguishes an unusually late wake-up of the monitor from a usual one.
///
/// After a safepoint, a SIGSTOP or a pause of the container, all threads seem to have made no progress. The monitor
/// detects this by its own lateness. The usual lateness differs between systems: a sleep of 20 us takes 80 us on an
/// idle Linux, 16 ms on Windows, and any time if all CPUs are busy. So lateness is compared with the smallest recent
/// lateness, which grows slowly while it is exceeded. System monitor only.
final class Oversleep {

    private static final long TOLERANCE_NANOS = 1_000_000;

    /// Above every machine's usual lateness; falls to it within one sample.
    private long usualNanos = 20_000_000;

    /// Whether a sleep of `asked` that took `slept` nanoseconds was unusually long.
    boolean isUnusual(long asked, long slept) {
        long late = Math.max(0, slept - asked);
        usualNanos = Math.min(late, usualNanos + usualNanos / 8 + 1_000);
        return late > 2 * asked + TOLERANCE_NANOS + 4 * usualNanos;
    }
}
