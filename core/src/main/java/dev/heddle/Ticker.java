package dev.heddle;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A clock that ticks on a channel.
///
/// ```java
/// Ticker ticker = Ticker.make(Duration.ofSeconds(1));
/// for (Instant tick : ticker.c()) {
///     System.out.println(tick);
/// }
/// ```
///
/// A receiver that is too slow misses ticks, but the ticks keep their phase. The other rules are those of [Timer].
/// After [#stop()] or [#reset(Duration)] has returned, no earlier tick can be received. An unreferenced ticker is
/// garbage.
public final class Ticker {
    private final ChanTimer timer;

    private Ticker(long period) {
        timer = new ChanTimer(period, period);
    }

    /// Starts a ticker. Go: time.NewTicker.
    ///
    /// @throws IllegalArgumentException `non-positive interval for NewTicker`
    public static Ticker make(Duration period) {
        if (!period.isPositive()) {
            throw new IllegalArgumentException("non-positive interval for NewTicker");
        }
        return new Ticker(Durations.saturatedNanos(period));
    }

    /// The channel of a new ticker, or null if `period` is not positive.
    /// Go: time.Tick.
    public static @Nullable ReceiveChan<Instant> tick(Duration period) {
        return period.isPositive() ? make(period).c() : null;
    }

    /// The channel on which the ticks arrive. It is never closed.
    /// Go: the field C.
    public ReceiveChan<Instant> c() {
        return timer.chan;
    }

    /// Stops the ticks. Does not close the channel.  Any thread.
    public void stop() {
        timer.stop();
    }

    /// Makes the ticker tick every `period` from now on.  Any thread.
    ///
    /// @throws IllegalArgumentException `non-positive interval for Ticker.Reset`
    public void reset(Duration period) {
        if (!period.isPositive()) {
            throw new IllegalArgumentException("non-positive interval for Ticker.Reset");
        }
        long nanos = Durations.saturatedNanos(period);
        timer.reset(nanos, nanos);
    }
}
