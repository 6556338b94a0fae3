package dev.heddle;

import dev.heddle.internal.kernel.Parking;
import dev.heddle.internal.kernel.WaitReason;
import dev.heddle.internal.kernel.WaitRecord;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// One thread that waits at one channel, to send or to receive. Go: sudog (runtime2.go).
///
/// A select has one waiter per case and one more, the group's, in which the cases meet.
final class Waiter extends WaitRecord {
    /*
     * Invariants. (I1) the fate of a group is decided once, by one CAS: null -> the waiter that won, or GAVE_UP;
     *             (I2) element, closed, queued and the links are written under the lock of the waiter's channel; a
     *             receiver's element and `closed` are written before the CAS that makes it the winner, so whoever
     *             reads the fate may read them; (I3) a waiter that has won is in no queue.
     *
     *             fate:  null -> winner    // a partner or close, under the channel's lock; a Waiter
     *                    null -> GAVE_UP   // the waiting thread: interrupted, or its time was up
     *
     * Orderings.  The CAS is a full fence. It is the only word on which the partners of a select, who hold different
     *             locks, agree.
     */

    private static final VarHandle FATE = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "fate", VarHandle.class, Waiter.class, Object.class);

    private static final Object GAVE_UP = new Object();

    final Thread thread = Thread.currentThread();
    final Waiter group;
    final Select.@Nullable Case selectCase;
    private final WaitReason reason;

    /// What a sender brings, or what a receiver was given.
    @Nullable
    Object element;

    /// Whether the channel was closed under the waiter.
    boolean closed;

    /// Whether the waiter is in a queue; the links are the queue's.
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

    /// Makes this waiter the winner of its group; false if the group's fate is decided.  Holds the channel's lock.
    boolean claim() {
        return FATE.compareAndSet(group, null, this);
    }

    /// Waits for the fate of this group: the winner, or null if the thread was interrupted or `deadline` passed.
    ///
    /// The interrupt status stays as it is. A match wins over an interrupt.  The waiting thread only.
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

    /// Makes the threads of `first` and of all behind it runnable, in order.  Any thread; never under a lock.
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
