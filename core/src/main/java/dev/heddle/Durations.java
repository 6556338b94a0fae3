package dev.heddle;

import java.time.Duration;
import java.time.Instant;

/// Durations in nanoseconds, as Go counts them. A longer duration than about 146 years is shortened to that.
final class Durations {
    private static final Duration LONGEST =
            Duration.ofNanos(Long.MAX_VALUE / 2); // leaves room to add System.nanoTime()

    private Durations() {}

    /// The time `duration` from now, or about 146 years from now if `duration` is longer than that.
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
