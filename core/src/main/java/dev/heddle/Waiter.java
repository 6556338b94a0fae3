package dev.heddle;

import dev.heddle.internal.event.WaitReason;
import dev.heddle.internal.event.WaitRecord;
import dev.heddle.internal.runtime.Parking;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// One thread that waits on one channel, to send or to receive. Go: sudog (runtime2.go).
///
/// A select has one waiter per case, and one more for the group, whose fate decides which case wins.
final class Waiter extends WaitRecord {
    /*
     * Invariants. (I1) the fate of a group is decided once, by one CAS: null -> the waiter that won, or GAVE_UP;
     *             (I2) element, closed, queued and the links are written under the lock of the waiter's channel; a
     *             receiver's element and `closed` are written before the CAS that makes it the winner, so a thread
     *             that reads the fate may read them; (I3) a waiter that has won is in no queue.
     *
     *             fate:  null -> winner    // a partner or close, under the channel's lock; a Waiter
     *                    null -> GAVE_UP   // the waiting thread: interrupted or timed out
     *
     * Orderings.  The CAS is a full fence. The partners of a select may hold different locks; the fate is the only word
     *             that decides between them.
     */

    private static final VarHandle FATE = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "fate", VarHandle.class, Waiter.class, Object.class);

    private static final Object GAVE_UP = new Object();

    final Thread thread = Thread.currentThread();
    final Waiter group;
    final Select.@Nullable Case selectCase;
    private final WaitReason reason;

    /// The value that a sender brings or that a receiver was given.
    @Nullable
    Object element;

    /// Whether the channel was closed while the waiter was queued.
    boolean closed;

    /// Whether the waiter is in a queue. The queue uses the links below.
    boolean queued;

    @Nullable
    Waiter previous;

    @Nullable
    Waiter next;

    @SuppressWarnings("UnusedVariable") // written through FATE
    private volatile @Nullable Object fate;

    private Waiter(WaitReason reason, @Nullable Waiter group, Select.@Nullable Case selectCase) {
        this.reason = reason;
        this.group = group == null ? this : group;
        this.selectCase = selectCase;
    }

    static Waiter receiver() {
        return new Waiter(WaitReason.CHAN_RECEIVE, null, null);
    }

    static Waiter sender(Object element) {
        var waiter = new Waiter(WaitReason.CHAN_SEND, null, null);
        waiter.element = element;
        return waiter;
    }

    static Waiter group(WaitReason reason) {
        return new Waiter(reason, null, null);
    }

    static Waiter ofCase(Waiter group, Select.Case selectCase, @Nullable Object element) {
        var waiter = new Waiter(WaitReason.SELECT, group, selectCase);
        waiter.element = element;
        return waiter;
    }

    /// Makes this waiter the winner of its group; false if the fate is already decided.  Holds the channel's lock.
    boolean claim() {
        return FATE.compareAndSet(group, null, this);
    }

    /// Waits for this group's fate. Returns the winner, or null if the thread was interrupted or `deadline` passed.
    ///
    /// Leaves the interrupt status unchanged. A match wins over an interrupt.  The waiting thread only.
    @Nullable
    Waiter await(boolean timed, long deadline) {
        if (Parking.maySpin()) {
            for (int i = Parking.spins(); i > 0 && fate == null; i--) {
                Thread.onSpinWait();
            }
        }
        while (true) {
            Object decided = fate;
            if (decided != null) {
                return decided == GAVE_UP ? null : (Waiter) decided;
            }
            long left = timed ? deadline - System.nanoTime() : 1;
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                FATE.compareAndSet(this, null, GAVE_UP);
            } else if (timed) {
                Parking.parkNanos(reason, this, left);
            } else {
                Parking.park(reason, this);
            }
        }
    }

    /// Unparks the threads of `first` and of all waiters after it, in order.  Any thread; never under a lock.
    static void wakeAll(@Nullable Waiter first) {
        for (Waiter waiter = first; waiter != null; waiter = waiter.next) {
            Parking.unpark(waiter.thread);
        }
    }

    @Override
    public WaitReason waitReason() {
        return reason;
    }
}
