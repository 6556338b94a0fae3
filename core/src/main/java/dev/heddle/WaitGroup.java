package dev.heddle;

import dev.heddle.internal.kernel.Parking;
import dev.heddle.internal.kernel.WaitReason;
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
/// Rules, as in Go: [#add(int)] happens before the work it counts is started, and a group is used again only after
/// every [#await()] of the round before has returned. What happened before a [#done()] happens before the return of
/// the `await` that it releases. Works on any thread, virtual or not.
public final class WaitGroup extends WaitGroupPadding {
    /*
     * Shape.      Two counts that only grow, and a list of the threads that wait. The counter is their difference.
     *
     *                 added | 64 bytes | ended bound waiters
     *
     *             One thread starts the work and others end it: had they one count, its cache line would go from core to
     *             core and back for every piece of work, at up to 200 ns a time.
     * Invariants. (I1) bound <= added, and so whoever takes off and stays below bound has not reached zero; (I2) who
     *             takes the last one off, added == ended, takes the list and wakes what is in it; (I3) a waiter may go
     *             when there was a zero at a count that is not below its target, which is what had been added when it came.
     *             It is exactly the zeros since it came that are: at a zero of count n all n are added and ended, and who
     *             comes later and has to wait finds more than n added.
     * Who writes. added, ended: everybody.  bound: whoever takes off and has looked at added, racily: any value that added
     *             once had will do.  waiters: see WaitList.  Node.thread, Node.zeroAt: the releaser.
     * Orderings.  A waiter adds its node, then reads both counts; who takes off adds to ended, then reads added and looks
     *             at the list. All are volatile or stronger, so either the releaser finds the node or the waiter sees the
     *             zero (Dekker). ended is read before added: if they are equal then, it was zero when added was read. A
     *             late releaser may take nodes of the next round with it: their threads wake, see that the zero was not
     *             theirs, and add a fresh node.
     * Progress.   add and done: one atomic add. Only the call that releases does more.
     * Rejected.   One word with the counter: see above. Go's count of waiters: an interrupted waiter would have to take
     *             itself off it.
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
                node = new WaitList.Node(); // the other was taken by the releaser of the round before
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
            waiters.remove(node); // saw the zero before the releaser saw the node
        }
        return true;
    }

    private boolean isZero() {
        long now = ended; // first: see the orderings
        return now == added;
    }

    /// Wakes all waiters, first come first served.
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

    /// Go prints a wait group's counter in the debugger only; so does this.
    @Override
    public String toString() {
        return "WaitGroup[" + (added - ended) + "]";
    }
}

/// The count of those who start work.
abstract class WaitGroupAdded {
    volatile long added; // written through WaitGroup.ADDED
}

/// Keeps it in another cache line than the count of those who end it.
@SuppressWarnings({"MultiVariableDeclaration", "unused", "UnusedVariable"}) // padding is never read
abstract class WaitGroupPadding extends WaitGroupAdded {
    long p0, p1, p2, p3, p4, p5, p6, p7;
}
