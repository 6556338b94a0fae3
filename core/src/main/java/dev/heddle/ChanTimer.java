package dev.heddle;

import dev.heddle.internal.kernel.TimerHandle;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The clockwork of a [Timer] or [Ticker]: sends the time on a channel when it is due.
///
/// As in Go since 1.23, nothing ticks while nobody waits: only a thread that blocks on the channel puts the timer into
/// the scheduler's heap, and everybody else finds out by looking at the clock. So a timer nobody refers to is garbage,
/// stopped or not, and a value that was not received can be taken back. Go: maybeRunChan, blockTimerChan (time.go).
final class ChanTimer implements Runnable {
    /*
     * Invariants. (I1) all fields are written under the channel's lock; armedAt and isArmed are volatile for looksDue,
     *             which is a hint; (I2) when no thread is inside this class: handle != null if and only if the timer is
     *             armed and blocked > 0, and then handleAt == armedAt; reconcile() restores that after every change;
     *             (I3) the channel's one-slot buffer holds a value only between the moment somebody looked and the
     *             receive, stop or reset.
     * Who calls.  expire: receivers, selects and run, under the lock.  run: the kernel, on a carrier: it only *tries*
     *             the lock and leaves the rest to a goroutine (N17).
     */

    /// [Goroutines#schedule], or what a test puts in its place.
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

    /// Go: Timer.Stop. No value of before can be received after this; true if there was or would have been one.
    boolean stop() {
        return rearm(/* arm= */ false, 0, 0);
    }

    /// Go: Timer.Reset. The answer is that of [#stop()].
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

    /// Whether the timer seems to be due and nobody has looked yet.  Any thread.
    boolean looksDue() {
        return isArmed && System.nanoTime() - armedAt >= 0;
    }

    /// Sends the scheduled time if it has come. The result, if any, is the receiver to wake.  Holds the channel's
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
        Instant scheduled = Instant.now().minusNanos(late); // allocates, hence before anything changes
        if (period > 0) {
            armedAt += period * (1 + late / period); // missed ticks are dropped, the phase is kept
        } else {
            isArmed = false;
        }
        return chan.sendLocked(scheduled) instanceof Waiter receiver ? receiver : null; // dropped if one is unread
    }

    /// A thread is about to wait on the channel. Before it joins the queue: this may fail for want of memory, and
    /// nobody must be left there who does not wait.  Any thread.
    void block() {
        count(1);
        try {
            reconcile();
        } catch (Throwable failure) {
            unblock();
            throw failure;
        }
    }

    /// A thread no longer waits on the channel.  Any thread.
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

    /// The time has come, says the kernel.  On a carrier.
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

    /// Fires, unlocks, and says whether the heap has to be looked after. A receiver that was woken does that
    /// itself.
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

    /// Restores (I2) after a change.
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
