package dev.heddle;

import dev.heddle.internal.runtime.TimerHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// One event in the future: the time arrives on a channel, or a function is started.
///
/// ```java
/// Timer timer = Timer.make(Duration.ofSeconds(2));
/// Instant due = timer.c().receive();
/// ```
///
/// The rules are Go's since 1.23. After [#stop()] or [#reset(Duration)] has returned, no value from before the call can
/// be received. The channel appears to have no buffer: `len` and `cap` are 0. The value is the time at which the
/// timer was due, however late it is received. An unreferenced timer with a channel is garbage and need not be
/// stopped.
public final class Timer {
    private final @Nullable ChanTimer onChannel;
    private final @Nullable FuncTimer onFunction;

    private Timer(@Nullable ChanTimer onChannel, @Nullable FuncTimer onFunction) {
        this.onChannel = onChannel;
        this.onFunction = onFunction;
    }

    /// Starts a timer that is due after `delay`.
    /// Go: time.NewTimer.
    public static Timer make(Duration delay) {
        return new Timer(new ChanTimer(Durations.saturatedNanos(delay), 0), null);
    }

    /// Starts a timer that runs `body` in a goroutine of its own after `delay`. The goroutine starts on the
    /// caller's scheduler, or on the default scheduler if the caller's has been closed.
    /// Go: time.AfterFunc.
    public static Timer afterFunc(Duration delay, Go.Body body) {
        var timer = new FuncTimer(Objects.requireNonNull(body));
        timer.rearm(/* arm= */ true, Durations.saturatedNanos(delay));
        return new Timer(null, timer);
    }

    /// A channel on which the time arrives after `delay`.
    /// Go: time.After.
    public static ReceiveChan<Instant> after(Duration delay) {
        return make(delay).c();
    }

    /// The channel on which the time arrives. Go: the field C.
    ///
    /// @throws IllegalStateException if this timer runs a function instead
    public ReceiveChan<Instant> c() {
        if (onChannel == null) {
            throw new IllegalStateException("a timer of afterFunc has no channel");
        }
        return onChannel.chan;
    }

    /// Keeps the timer from firing. Returns true if this call did that; false if the value had been received, the
    /// function started, or the timer stopped before.  Any thread.
    public boolean stop() {
        return onChannel != null ? onChannel.stop() : function().rearm(/* arm= */ false, 0);
    }

    /// Makes the timer due `delay` from now. Returns what [#stop()] would return.  Any thread.
    public boolean reset(Duration delay) {
        long nanos = Durations.saturatedNanos(delay);
        return onChannel != null ? onChannel.reset(nanos, 0) : function().rearm(/* arm= */ true, nanos);
    }

    private FuncTimer function() {
        return Objects.requireNonNull(onFunction);
    }

    /// The implementation of [#afterFunc]. It is in the scheduler's heap whenever it is armed.
    private static final class FuncTimer {
        private final Go.Body body;
        private final Scheduler scheduler = Scheduler.current(); // the creator's scheduler, as for `go`

        private @Nullable Firing armed; // guarded by this

        FuncTimer(Go.Body body) {
            this.body = body;
        }

        boolean rearm(boolean arm, long delay) {
            Firing before;
            synchronized (this) {
                before = armed;
                armed = arm ? new Firing() : null;
                if (armed != null) {
                    armed.handle = Goroutines.schedule(armed, delay);
                }
            }
            return before != null && before.cancel();
        }

        /// One arming of the timer: it runs or is cancelled, whichever comes first.
        private final class Firing implements Runnable {
            private final AtomicBoolean decided = new AtomicBoolean();
            private @Nullable TimerHandle handle; // guarded by the timer

            boolean cancel() {
                if (!decided.compareAndSet(false, true)) {
                    return false;
                }
                if (handle != null) {
                    handle.cancel();
                }
                return true;
            }

            /// On a carrier: starts the goroutine and returns.
            @Override
            public void run() {
                if (decided.compareAndSet(false, true)) {
                    Goroutines.startBody(scheduler, body);
                }
            }
        }
    }
}
