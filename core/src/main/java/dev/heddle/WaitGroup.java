package dev.heddle;

import dev.heddle.internal.event.WaitReason;
import dev.heddle.internal.runtime.Parking;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;

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
/// The rules are Go's. Call [#add(int)] before the work that it counts is started. Use a group again only after every
/// [#await()] of the previous round has returned. What happened before a [#done()] happens before the `await` that it
/// releases returns. All methods may be called on any thread, virtual or not.
public final class WaitGroup extends WaitGroupPadding {
    /*
     * Shape.      Two counts that only grow, and a list of the waiting threads. The counter is added - ended.
     *
     *                 added | 64 bytes | ended bound waiters
     *
     *             One thread starts the work and others end it. If they shared one count, its cache line would move
     *             back and forth between cores for every piece of work, at up to 200 ns a time.
     * Invariants. (I1) bound <= added, so a decrement after which ended is below bound has not reached zero; (I2) the
     *             releaser, whose decrement makes added == ended, takes the list and wakes all threads in it; (I3) a
     *             waiter may return when the counter was zero at a count not below the waiter's target. The target is
     *             the value of added when the waiter arrived. Every zero since its arrival satisfies this, and no
     *             earlier one does. At a zero of count n, n were added and n have ended. A waiter that arrives after it
     *             and has to wait finds more than n added.
     * Who writes. added, ended: any thread.  bound: a decrementing thread that has read added, racily: any value that
     *             added once had is correct.  waiters: see WaitList.  Node.thread, Node.zeroAt: the releaser.
     * Orderings.  A waiter adds its node, then reads both counts. A decrementing thread adds to ended, then reads added
     *             and the list. All these accesses are volatile or stronger, so either the releaser finds the node or
     *             the waiter sees the zero (Dekker). A waiter reads ended before added: if the two values are equal,
     *             the counter was zero when added was read. A late releaser may also take nodes of the next round.
     *             Their threads wake, see that the zero was before their target, and add a fresh node.
     * Progress.   add: one atomic add. done: one atomic add and, unless ended stays below bound, a read of added and
     *             perhaps a store to bound. Of these calls only the releaser's takes the list's lock.
     * Rejected.   One word with the counter: see above. Go's count of waiters: an interrupted waiter would have to
     *             subtract itself.
     * Sources.    Go: sync/waitgroup.go.  Checked by WaitGroupTest, WaitGroupStressTest; in jcstress/ by DoneVsAwait.
     */

    private static final VarHandle ADDED = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "added", VarHandle.class, WaitGroupAdded.class, long.class);
    private static final VarHandle ENDED = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "ended", VarHandle.class, WaitGroup.class, long.class);
    private static final VarHandle BOUND = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "bound", VarHandle.class, WaitGroup.class, long.class);

    @SuppressWarnings("UnusedVariable") // written through ENDED
    private volatile long ended;

    @SuppressWarnings("UnusedVariable") // accessed through BOUND
    private long bound;

    private final WaitList waiters = new WaitList();

    /// Creates a group that waits for nothing yet.
    public WaitGroup() {}

    /// Starts a goroutine and counts it until it ends, normally or by an exception. Any thread.
    /// Go: sync.WaitGroup.Go.
    public void go(Go.Body body) {
        Objects.requireNonNull(body, "go of nil func value");
        add(1);
        boolean started = false;
        try {
            Go.go(new Counted(this, body));
            started = true;
        } finally {
            if (!started) {
                done();
            }
        }
    }

    /// The body of a goroutine that the group counts.
    private static final class Counted extends GroupBody {
        private final WaitGroup group;

        Counted(WaitGroup group, Go.Body body) {
            super(body);
            this.group = group;
        }

        @Override
        public void run() throws Throwable {
            try {
                body.run();
            } finally {
                group.done();
            }
        }
    }

    /// Adds `delta`, which may be negative, to the counter. When the counter becomes zero, all threads in
    /// [#await()] are released. Any thread.
    ///
    /// @throws IllegalStateException `sync: negative WaitGroup counter`
    public void add(int delta) {
        if (delta >= 0) {
            long _ = (long) ADDED.getAndAdd(this, (long) delta);
        } else {
            takeOff(-(long) delta);
        }
    }

    private void takeOff(long count) {
        long now = (long) ENDED.getAndAdd(this, count) + count;
        if (now < (long) BOUND.getOpaque(this)) {
            return;
        }
        long all = added;
        if (now > all) {
            throw new IllegalStateException("sync: negative WaitGroup counter");
        } else if (now < all) {
            BOUND.setOpaque(this, all);
        } else if (!waiters.isEmpty()) {
            wakeAll(now);
        }
    }

    /// Decrements the counter by one.  Any thread.
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
        if (isZero()) {
            return true;
        }
        long target = added;
        long deadline = timed ? System.nanoTime() + nanos : 0;
        var node = new WaitList.Node();
        waiters.add(node);
        while (!isZero()) {
            if (node.thread == null) {
                if (node.zeroAt >= target) {
                    return true;
                }
                node = new WaitList.Node(); // the releaser of the previous round took the old one
                waiters.add(node);
                continue;
            }
            long left = timed ? deadline - System.nanoTime() : 1;
            boolean interrupted = Thread.interrupted();
            if (interrupted || left <= 0) {
                waiters.remove(node);
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
            waiters.remove(node); // this thread saw the zero before the releaser took the node
        }
        return true;
    }

    private boolean isZero() {
        long now = ended; // before added: see Orderings
        return now == added;
    }

    /// Wakes all waiters in order of arrival.
    private void wakeAll(long zeroAt) {
        for (WaitList.Node at = waiters.takeAll(); at != null; at = at.next) {
            Thread thread = at.thread;
            at.zeroAt = zeroAt;
            at.thread = null;
            if (thread != null) {
                Parking.unpark(thread);
            }
        }
    }

    /// Shows the counter, for debugging. The value may be stale.
    @Override
    public String toString() {
        return "WaitGroup[" + (added - ended) + "]";
    }
}

/// The count that threads which start work write.
abstract class WaitGroupAdded {
    volatile long added; // written through WaitGroup.ADDED
}

/// Keeps `added` and `ended` in different cache lines: different threads write them.
@SuppressWarnings({"MultiVariableDeclaration", "unused", "UnusedVariable"}) // padding is never read
abstract class WaitGroupPadding extends WaitGroupAdded {
    long p0, p1, p2, p3, p4, p5, p6, p7;
}
