package dev.heddle;

import dev.heddle.internal.runtime.TimerHandle;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The implementation of a [Timer] or [Ticker] with a channel: sends the time on the channel when it is due.
///
/// As in Go since 1.23, the timer is in the scheduler's heap only while a thread blocks on the channel. All other
/// operations on the channel compare the due time with the clock. So an unreferenced timer is garbage, stopped or not,
/// and a value that was not received can be withdrawn.
/// Go: maybeRunChan, blockTimerChan (time.go).
final class ChanTimer implements Runnable {
    /*
     * Invariants. (I1) all fields but home are written under the channel's lock; armedAt and isArmed are volatile for
     *             looksDue, which is a hint; (I2) handle != null if and only if the timer is armed and blocked > 0, and
     *             then handleAt == armedAt; a change may break this until reconcile() has run, which follows every
     *             change; (I3) the channel's one-slot buffer holds a value only between the expire() that sent it and
     *             the next receive, stop or reset.
     * Who calls.  expire: receivers, selects and run, under the lock.  run: the kernel, on a carrier. run must not
     *             block, so it only *tries* the lock, and starts a goroutine for the rest (N17).
     */

    /// [Goroutines#schedule], or a test's replacement for it.
    @FunctionalInterface
    interface Clock {
        TimerHandle schedule(Runnable callback, long delayNanos);
    }

    final Chan<Instant> chan = new Chan<>(1, this);

    private final Clock clock;
    private volatile boolean isArmed;
    private volatile long armedAt;
    private long period;
    private int blocked;
    private @Nullable TimerHandle handle;
    private long handleAt;

    /// The scheduler of the thread that last put the timer into a heap.
    private volatile @Nullable Scheduler home;

    /// Starts a timer that is due in `delay`, and from then on every `period` nanoseconds if that is not 0.
    ChanTimer(long delay, long period) {
        this(delay, period, Goroutines::schedule);
    }

    ChanTimer(long delay, long period, Clock clock) {
        this.clock = clock;
        this.period = period;
        armedAt = System.nanoTime() + delay;
        isArmed = true;
    }

    /// Stops the timer. After this returns, no value from before the call can be received. Returns true if a
    /// value was waiting to be received or still to come.
    /// Go: Timer.Stop.
    boolean stop() {
        return rearm(/* arm= */ false, 0, 0);
    }

    /// Makes the timer due in `delay` nanoseconds. Returns what [#stop()] would return.
    /// Go: Timer.Reset.
    boolean reset(long delay, long newPeriod) {
        return rearm(/* arm= */ true, delay, newPeriod);
    }

    private boolean rearm(boolean arm, long delay, long newPeriod) {
        boolean pending;
        chan.lock();
        try {
            pending = chan.drainLocked() | isArmed;
            period = newPeriod;
            armedAt = System.nanoTime() + delay;
            isArmed = arm;
        } finally {
            chan.unlock();
        }
        reconcile();
        return pending;
    }

    /// Whether the timer seems to be due and [#expire()] has not yet sent the value. A hint.  Any thread.
    boolean looksDue() {
        return isArmed && System.nanoTime() - armedAt >= 0;
    }

    /// Sends the scheduled time if the timer is due. Returns the receiver to wake, or null.  Holds the channel's
    /// lock.
    @Nullable
    Waiter expire() {
        if (!isArmed) {
            return null;
        }
        long late = System.nanoTime() - armedAt;
        if (late < 0) {
            return null;
        }
        Instant scheduled = Instant.now().minusNanos(late); // allocates, so before any state changes
        if (period > 0) {
            armedAt += period * (1 + late / period); // missed ticks are dropped, the phase is kept
        } else {
            isArmed = false;
        }
        return chan.sendLocked(scheduled) instanceof Waiter receiver ? receiver : null; // dropped if the buffer is full
    }

    /// Registers a thread that is about to wait on the channel. Called before the thread joins the queue: this
    /// method may throw OutOfMemoryError, and a thread that does not wait must not stay in the queue. Any
    /// thread.
    void block() {
        count(1);
        try {
            reconcile();
        } catch (Throwable failure) {
            unblock();
            throw failure;
        }
    }

    /// Deregisters a thread that no longer waits on the channel.  Any thread.
    void unblock() {
        count(-1);
        reconcile();
    }

    private void count(int change) {
        chan.lock();
        try {
            blocked += change;
        } finally {
            chan.unlock();
        }
    }

    /// The kernel's callback when the timer is due.  On a carrier, so it must not block.
    @Override
    public void run() {
        if (!chan.tryLock()) {
            Goroutines.start(home, this::runPatiently);
            return;
        }
        if (fireLocked()) {
            Goroutines.start(home, this::reconcile);
        }
    }

    private void runPatiently() {
        chan.lock();
        if (fireLocked()) {
            reconcile();
        }
    }

    /// Fires and unlocks. Returns whether the caller has to call [#reconcile()]; if a receiver was woken, it
    /// does that itself. Holds the channel's lock.
    private boolean fireLocked() {
        Waiter due;
        try {
            handle = null;
            due = expire();
        } finally {
            chan.unlock();
        }
        Waiter.wakeAll(due);
        return due == null;
    }

    /// Restores (I2) after a change. Schedules and cancels outside the lock, and retries until they match.
    private void reconcile() {
        TimerHandle made = null;
        long madeAt = 0;
        while (true) {
            TimerHandle stale = null;
            long wantedAt;
            boolean wanted;
            chan.lock();
            try {
                wantedAt = armedAt;
                wanted = isArmed && blocked > 0;
                if (handle != null && (!wanted || handleAt != wantedAt)) {
                    stale = handle;
                    handle = null;
                }
                if (wanted && handle == null && made != null && madeAt == wantedAt) {
                    handle = made;
                    handleAt = madeAt;
                    made = null;
                }
                wanted &= handle == null;
            } finally {
                chan.unlock();
            }
            if (stale != null) {
                stale.cancel();
            }
            if (made != null) {
                made.cancel();
                made = null;
            }
            if (!wanted) {
                return;
            }
            home = Goroutines.home();
            made = clock.schedule(this, wantedAt - System.nanoTime());
            madeAt = wantedAt;
        }
    }
}
