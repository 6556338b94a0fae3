package dev.heddle;

import java.time.Duration;
import java.time.Instant;

/// Durations as nanoseconds, as Go counts them: what does not fit lasts for ever.
final class Durations {
    private static final Duration LONGEST =
            Duration.ofNanos(Long.MAX_VALUE / 2); // leaves room to add System.nanoTime()

    private Durations() {}

    /// The time `duration` from now, or one far enough away to be called never.
    static Instant fromNow(Duration duration) {
        return Instant.now().plusNanos(saturatedNanos(duration));
    }

    static long saturatedNanos(Duration duration) {
        if (duration.compareTo(LONGEST) >= 0) {
            return Long.MAX_VALUE / 2;
        }
        return duration.isNegative() ? 0 : duration.toNanos();
    }
}
