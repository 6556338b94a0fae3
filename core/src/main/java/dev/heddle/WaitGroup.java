package dev.heddle;

import dev.heddle.kernel.Parking;
import dev.heddle.kernel.WaitReason;
import dev.heddle.kernel.WaitRecord;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Waits for a number of goroutines to finish.
///
/// ```java
/// var group = new WaitGroup();
/// for (Url url : urls) {
///     group.go(() -> fetch(url));
/// }
/// group.await();
/// ```
///
/// Rules, as in Go: [#add(int)] happens before the work it counts is started, and a group is used again only after
/// every [#await()] of the round before has returned. What happened before a [#done()] happens before the return of
/// the `await` that it releases. Works on any thread, virtual or not.
public final class WaitGroup {
    /*
     * Shape.      One word, and a stack of the threads that wait.
     *
     *                 | counter:32 | round:31 | waited:1 |        waiters -> node -> node -> null
     *
     * Invariants. (I1) the counter changes by one atomic add, whoever does it; (I2) a round ends (round + 1, waited
     *             = 0) once, after the counter was zero with `waited` set, by whoever sees that first; (I3) a waiter
     *             of round r may go when the round is no longer r; (I4) the add that reached zero with `waited` set,
     *             and only that one, takes the stack and wakes what is in it.
     * Who writes. word: everybody.  waiters: pushed by CAS, taken as a whole by the releaser, unlinked by a waiter that
     *             leaves by itself (as in FutureTask.removeWaiter).  Node.newer: the releaser.
     * Orderings.  A waiter sets `waited`, pushes, then reads the round; the releaser ends the round, then takes the
     *             stack. All are full-fence atomics, so either the releaser finds the node or the waiter sees the next
     *             round (Dekker). A late releaser may take nodes of the next round with it: their threads wake, see
     *             that their round goes on, and push a fresh node.
     * Progress.   add and done: one atomic add. Only the call that releases does more.
     * Rejected.   Go's count of waiters in the word: an interrupted waiter would have to take itself off it. Counter
     *             and `waited` in two words: a slow releaser would let the next round's waiters go.
     * Sources.    Go: sync/waitgroup.go.  Checked by WaitGroupTest, WaitGroupStressTest.
     */

    private static final VarHandle WORD = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "word", VarHandle.class, WaitGroup.class, long.class);
    private static final VarHandle WAITERS = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "waiters", VarHandle.class, WaitGroup.class, Node.class);

    private static final int COUNTER_SHIFT = 32;
    private static final long WAITED = 1;
    private static final long ROUND_MASK = 0xffff_fffeL;
    private static final long COUNTER_MASK = 0xffff_ffffL << COUNTER_SHIFT;

    @SuppressWarnings("UnusedVariable") // written through WORD
    private volatile long word;

    @SuppressWarnings("UnusedVariable") // written through WAITERS
    private volatile @Nullable Node waiters;

    /// Creates a group that waits for nothing yet.
    public WaitGroup() {}

    /// Starts a goroutine and counts it until it ends, in whatever way.  Any thread. Go: sync.WaitGroup.Go.
    public void go(Go.Body body) {
        Objects.requireNonNull(body, "go of nil func value");
        add(1);
        boolean started = false;
        try {
            Go.go(() -> {
                try {
                    body.run();
                } finally {
                    done();
                }
            });
            started = true;
        } finally {
            if (!started) {
                done();
            }
        }
    }

    /// Adds `delta`, which may be negative, to the counter; at zero everybody in [#await()] is released.  Any
    /// thread.
    ///
    /// @throws IllegalStateException `sync: negative WaitGroup counter`
    public void add(int delta) {
        long change = (long) delta << COUNTER_SHIFT;
        long before = (long) WORD.getAndAdd(this, change);
        long after = before + change;
        if (counter(after) < 0) {
            throw new IllegalStateException("sync: negative WaitGroup counter");
        }
        if ((after & WAITED) != 0) {
            if (counter(before) == 0) {
                endRound(before); // whose releaser is still on its way: what waits from now on is the next round
            } else if (counter(after) == 0) {
                endRound(after);
                wakeAll();
            }
        }
    }

    /// Takes one off the counter.  Any thread.
    ///
    /// @throws IllegalStateException `sync: negative WaitGroup counter`
    public void done() {
        add(-1);
    }

    /// Waits until the counter is zero.  Any thread.
    ///
    /// @throws InterruptedException if the thread is interrupted, at entry or while the counter is not zero
    public void await() throws InterruptedException {
        await(Long.MAX_VALUE, /* timed= */ false);
    }

    /// Waits until the counter is zero, but not longer than `timeout`; returns whether it became zero.  Any thread.
    ///
    /// @throws InterruptedException if the thread is interrupted, at entry or while the counter is not zero
    public boolean await(Duration timeout) throws InterruptedException {
        return await(Durations.saturatedNanos(timeout), /* timed= */ true);
    }

    private boolean await(long nanos, boolean timed) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long seen = word;
        while (counter(seen) != 0 && (seen & WAITED) == 0) {
            if (WORD.compareAndSet(this, seen, seen | WAITED)) {
                seen |= WAITED;
                break;
            }
            seen = word;
        }
        if (counter(seen) == 0) {
            endRound(seen); // so that this thread may start the next one
            return true;
        }
        return awaitEndOf(seen, nanos, timed);
    }

    private boolean awaitEndOf(long round, long nanos, boolean timed) throws InterruptedException {
        long deadline = timed ? System.nanoTime() + nanos : 0;
        var node = new Node();
        push(node);
        while (!hasEnded(round)) {
            if (node.thread == null) { // taken by the releaser of the round before
                node = new Node();
                push(node);
                continue;
            }
            long left = timed ? deadline - System.nanoTime() : 1;
            boolean interrupted = Thread.interrupted();
            if (interrupted || left <= 0) {
                remove(node);
                if (interrupted) {
                    throw new InterruptedException();
                }
                return false;
            }
            if (timed) {
                Parking.parkNanos(WaitReason.WAIT_GROUP_WAIT, node, left);
            } else {
                Parking.park(WaitReason.WAIT_GROUP_WAIT, node);
            }
        }
        if (node.thread != null) {
            remove(node); // saw the end of the round before the releaser saw the node
        }
        return true;
    }

    private boolean hasEnded(long round) {
        long seen = word;
        if (sameRound(seen, round) && counter(seen) != 0) {
            return false;
        }
        endRound(round);
        return true;
    }

    /// Ends the round of `seen` unless that has been done. The counter is or was zero in that round.
    private void endRound(long seen) {
        long now = word;
        while (sameRound(now, seen) && (now & WAITED) != 0) {
            long ended = (now & COUNTER_MASK) | ((now + 2) & ROUND_MASK); // 2: one round
            if (WORD.compareAndSet(this, now, ended)) {
                return;
            }
            now = word;
        }
    }

    /// Wakes who waits, first come first served. `next` is left alone: waiters that leave may be walking along it.
    private void wakeAll() {
        Node oldest = null;
        for (Node at = (Node) WAITERS.getAndSet(this, null); at != null; at = at.next) {
            at.newer = oldest;
            oldest = at;
        }
        for (Node at = oldest; at != null; at = at.newer) {
            Thread thread = at.thread;
            at.thread = null;
            if (thread != null) {
                Parking.unpark(thread);
            }
        }
    }

    private void push(Node node) {
        Node head;
        do {
            head = waiters;
            node.next = head;
        } while (!WAITERS.compareAndSet(this, head, node));
    }

    /// Unlinks `node` and every other node whose waiter has left. Retries when it meets a race; there is no ABA,
    /// because
    /// nodes are never used twice.
    private void remove(Node node) {
        node.thread = null;
        retry:
        while (true) {
            Node live = null;
            for (Node at = waiters; at != null; at = at.next) {
                if (at.thread != null) {
                    live = at;
                } else if (live != null) {
                    live.next = at.next;
                    if (live.thread == null) {
                        continue retry; // live left meanwhile: its predecessor may still lead to at
                    }
                } else if (!WAITERS.compareAndSet(this, at, at.next)) {
                    continue retry;
                }
            }
            return;
        }
    }

    private static boolean sameRound(long word, long other) {
        return ((word ^ other) & ROUND_MASK) == 0;
    }

    private static int counter(long word) {
        return (int) (word >> COUNTER_SHIFT);
    }

    /// Go prints a wait group's counter in the debugger only; so does this.
    @Override
    public String toString() {
        return "WaitGroup[" + counter(word) + "]";
    }

    private static final class Node extends WaitRecord {
        volatile @Nullable Thread thread = Thread.currentThread(); // null: woken, or gone
        volatile @Nullable Node next;

        @Nullable
        Node newer;

        @Override
        public WaitReason waitReason() {
            return WaitReason.WAIT_GROUP_WAIT;
        }
    }
}
