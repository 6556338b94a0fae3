package dev.heddle.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A command with the time at which it becomes due: what a [TimerHeap] holds. It is fired or cancelled, once.
///
/// Times are nanoseconds of one clock that starts near zero and does not wrap (say `System.nanoTime()` minus its value
/// at start), so that they can be compared by `<`. May be subclassed, for instance to be the `Future` that its creator
/// returns.
public class TimerEntry {
    /*
     * State.      INBOX     -> HEAP       // holder of the heap's lock, drain
     *             INBOX     -> DUE        // holder of the heap's lock, when the heap cannot grow
     *             HEAP      -> DUE        // holder of the heap's lock, takeDue
     *             HEAP      -> INBOX      // holder of the heap's lock, its processor is destroyed
     *             DUE       -> FIRED      // the thread that called takeDue
     *             INBOX     -> CANCELLED  // anyone
     *             HEAP      -> CANCELLED  // anyone; counts a zombie in `heap`
     *             DUE       -> CANCELLED  // anyone
     *             FIRED     -> INBOX      // the thread whose fire() failed on OutOfMemoryError, retryAt
     * Invariants. Every other change is a CAS. CANCELLED is final, and so is FIRED, unless memory ran out. The winner
     *             of the CAS to one of them owns `command`.
     *             In HEAP the entry is in the arrays of `heap` exactly once; CANCELLED from HEAP it stays there as a
     *             zombie and has been, or is about to be, counted once.
     * Who writes. state: as above.  command: set before the first push, nulled by the winner of the last CAS.
     *             when: set before each push.
     *             next, depth: the pusher until its CAS on the inbox, then the holder of the heap's lock.
     *             heap: the holder of the heap's lock, before its CAS to HEAP.
     * Orderings.  CAS (volatile) on state: the reader of HEAP in cancel sees `heap`, the winner of FIRED sees
     *             `command`. `next` and `depth` are published by the CAS on the inbox.
     * Progress.   fire: wait-free. cancel: lock-free, retries only when the entry moves on.
     * Rejected.   A back index for removal at cancel: it needs the heap's lock, whose holder may be descheduled (N17).
     * Sources.    Go 1.27 time.go (timer.stop, lazy deletion; F77); N17.
     *             Checked by TimerHeapTest, and in jcstress/ by CancelVsFire, CancelVsDrain.
     */

    private static final int INBOX = 0; // the initial state, before the first push too
    private static final int HEAP = 1;
    private static final int DUE = 2;
    private static final int FIRED = 3;
    private static final int CANCELLED = 4;

    /// The latest time at which an entry can be due. It is one less than [Long#MAX_VALUE], because
    /// [TimerHeap#nextWhen] returns that value if there is no entry: callers would overlook an entry that is due at
    /// [Long#MAX_VALUE].
    public static final long LATEST = Long.MAX_VALUE - 1;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(TimerEntry.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    long when;

    @Nullable
    TimerEntry next; // in an inbox, or in the backlog taken from it

    int depth; // inbox entries from this one to the bottom: the inbox's length if this is the top

    private @Nullable Runnable command;
    private @Nullable TimerHeap heap;
    private volatile int state;

    /// An entry that runs `command` when the clock has reached the earlier of `when` and [#LATEST]; see
    /// [#deadline].
    public TimerEntry(long when, Runnable command) {
        this.when = Math.min(when, LATEST);
        this.command = command;
    }

    /// The time `delayNanos` after `now`, saturated: on overflow the result is [#LATEST], in 292 years (F79).
    public static long deadline(long now, long delayNanos) {
        if (delayNanos <= 0) {
            return now;
        }
        long when = now + delayNanos;
        return when < now ? LATEST : Math.min(when, LATEST);
    }

    /// When it becomes due. Any thread.
    public final long when() {
        return when;
    }

    /// Runs the command, unless the entry has been cancelled or fired. The caller of [TimerHeap#takeDue] calls this
    /// for every entry it got, without holding any lock. Returns whether the command ran. Exceptions of the command
    /// propagate. After an OutOfMemoryError the caller may call [#retryAt].
    public final boolean fire() {
        if (!STATE.compareAndSet(this, DUE, FIRED)) {
            return false;
        }
        var command = this.command;
        this.command = null; // plain: the CAS made this thread its owner
        if (command != null) {
            try {
                command.run();
            } catch (OutOfMemoryError failure) {
                this.command = command; // for retryAt
                throw failure;
            }
        }
        return true;
    }

    /// Makes the entry as if it were new, and due at `time`: the caller, whose [#fire] failed on OutOfMemoryError,
    /// pushes it again. In between, [#cancel] finds an entry that has fired.
    public final void retryAt(long time) {
        when = time;
        state = INBOX;
    }

    /// Cancels the entry and drops its command; the heap removes the entry itself later. Returns false if the entry
    /// has already been fired or cancelled. Lock-free. Any thread.
    public final boolean cancel() {
        for (; ; ) {
            int state = this.state;
            if (state == FIRED || state == CANCELLED) {
                return false;
            }
            if (STATE.compareAndSet(this, state, CANCELLED)) {
                command = null; // plain: the CAS made this thread its owner
                if (state == HEAP && heap != null) {
                    heap.countZombie();
                }
                return true;
            }
        }
    }

    /// Whether it is neither fired nor cancelled. Any thread.
    public final boolean isPending() {
        return state < FIRED;
    }

    /// Whether [#cancel] came first. Any thread.
    public final boolean isCancelled() {
        return state == CANCELLED;
    }

    /// Whether [#fire] came first. Any thread.
    public final boolean isFired() {
        return state == FIRED;
    }

    /// Enters the arrays of `target`; false if cancelled. Holds that heap's lock.
    final boolean moveToHeap(TimerHeap target) {
        heap = target; // plain: published by the CAS
        return STATE.compareAndSet(this, INBOX, HEAP);
    }

    /// Leaves the arrays to be fired; false if cancelled: it was a zombie. Holds the heap's lock.
    final boolean moveFromHeapToDue() {
        return STATE.compareAndSet(this, HEAP, DUE);
    }

    /// Leaves the inbox to be fired, without having been in the arrays; false if cancelled. Holds the heap's
    /// lock.
    final boolean moveFromInboxToDue() {
        return STATE.compareAndSet(this, INBOX, DUE);
    }

    /// Leaves the arrays for the inbox of another heap; false if cancelled: it was a zombie. Holds the heap's
    /// lock.
    final boolean moveBackToInbox() {
        return STATE.compareAndSet(this, HEAP, INBOX);
    }
}
