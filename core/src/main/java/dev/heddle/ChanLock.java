package dev.heddle;

import dev.heddle.internal.event.WaitReason;
import dev.heddle.internal.event.WaitRecord;
import dev.heddle.internal.runtime.Parking;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The lock of a channel or wait list. Any thread may take it, and holds it for a few dozen instructions.
///
/// Its holder does not allocate (for two exceptions see Chan, I4), unpark a thread or call foreign code. A thread that
/// must wait for the lock spins for about a microsecond and then parks. A virtual thread releases its carrier when it
/// parks.
abstract class ChanLock {
    /*
     * Shape.      One word, 0 (free) or 1 (held), and a stack of nodes, one per waiting thread.
     *
     * Invariants. (I1) the thread that changed the word from 0 to 1 holds the lock; (I2) a thread parks only after it
     *             pushed its node and then found the lock still held; (I3) every unlock that finds a live node wakes
     *             one thread.
     * Who writes. word: CAS by any thread, store by the holder.  contenders: CAS by any thread.
     *             Node.state: LIVE -> WOKEN   // an unlocker, which then unparks the node's thread
     *                         LIVE -> GONE    // its own thread, which got the lock without being woken
     * Orderings.  A contender pushes its node, then tries the word. An unlocker stores the word, then reads the stack.
     *             The store is volatile and the push is a CAS, so at least one of them sees the other (Dekker). With a
     *             release store both could miss, and the contender would sleep until the next unlock, which may never
     *             come.
     * Progress.   Barging is allowed: a woken thread that loses the race pushes a fresh node. The stack is last in,
     *             first out, so one thread may lose often, but every unlock by a barger wakes another contender.
     * Rejected.   A monitor: under contention, a single JDK thread resubmits the virtual threads that it unblocks.
     *             ReentrantLock: two more objects per channel, and no spinning. Pure spinning: uses the CPU that a
     *             descheduled holder needs.
     * Sources.    Why not a monitor or a parking lock: docs/notes/protocol.md (N19).
     *             Checked by ChanLincheckTest, ChanStressTest, WaitGroupStressTest.
     */

    private static final VarHandle WORD = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "word", VarHandle.class, ChanLock.class, int.class);
    private static final VarHandle CONTENDERS = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "contenders", VarHandle.class, ChanLock.class, Node.class);

    private volatile int word;

    @SuppressWarnings("UnusedVariable") // written through CONTENDERS
    private volatile @Nullable Node contenders;

    final boolean tryLock() {
        return word == 0 && WORD.compareAndSet(this, 0, 1);
    }

    final void lock() {
        if (!WORD.compareAndSet(this, 0, 1)) {
            lockSlowly();
        }
    }

    /// Releases the lock and wakes a contender. Holder only, and it must hold no other channel lock.
    final void unlock() {
        release();
        wakeContender();
    }

    /// The first half of [#unlock()], for a thread that holds several locks. Holder only.
    final void release() {
        word = 0; // volatile: see Orderings
    }

    /// The second half of [#unlock()]: wakes a contender, if there is one. The caller must hold no channel lock.
    final void wakeContender() {
        if (contenders != null) {
            wakeOne();
        }
    }

    private void lockSlowly() {
        for (int i = Parking.spins(); i > 0; i--) {
            if (tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        boolean interrupted = false;
        while (true) {
            var node = new Node();
            push(node);
            if (tryLock()) {
                node.state = Node.GONE; // if just WOKEN: our own unlock passes that wake-up on
                break;
            }
            while (node.state == Node.LIVE) {
                Parking.park(WaitReason.MUTEX_LOCK, node);
                interrupted |= Thread.interrupted(); // with the status set, park would return at once
            }
            if (tryLock()) {
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void push(Node node) {
        Node head;
        do {
            head = contenders;
            node.next = head;
        } while (!CONTENDERS.compareAndSet(this, head, node));
    }

    private void wakeOne() {
        Node node = contenders;
        while (node != null) {
            if (!CONTENDERS.compareAndSet(this, node, node.next)) {
                node = contenders;
            } else if (node.casState(Node.LIVE, Node.WOKEN)) {
                Parking.unpark(node.thread);
                return;
            } else {
                node = contenders; // GONE: its thread got the lock without being woken
            }
        }
    }

    private static final class Node extends WaitRecord {
        static final int LIVE = 0;
        static final int WOKEN = 1;
        static final int GONE = 2;

        private static final VarHandle STATE = ConstantBootstraps.fieldVarHandle(
                MethodHandles.lookup(), "state", VarHandle.class, Node.class, int.class);

        final Thread thread = Thread.currentThread();
        volatile int state;

        @Nullable
        Node next;

        boolean casState(int expect, int update) {
            return STATE.compareAndSet(this, expect, update);
        }

        @Override
        public WaitReason waitReason() {
            return WaitReason.MUTEX_LOCK;
        }
    }
}
