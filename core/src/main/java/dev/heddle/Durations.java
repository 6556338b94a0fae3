package dev.heddle;

import java.time.Duration;

/// Durations as nanoseconds, as Go counts them: what does not fit lasts for ever.
final class Durations {
    private static final Duration LONGEST =
            Duration.ofNanos(Long.MAX_VALUE / 2); // leaves room to add System.nanoTime()

    private Durations() {}

    static long saturatedNanos(Duration duration) {
        if (duration.compareTo(LONGEST) >= 0) {
            return Long.MAX_VALUE / 2;
        }
        return duration.isNegative() ? 0 : duration.toNanos();
    }
}
