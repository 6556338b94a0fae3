package dev.heddle;

import dev.heddle.Cancellation.Child;
import dev.heddle.internal.runtime.TimerHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A [Context] that can be cancelled. Closing it cancels it, so a `try` block does what `defer cancel()` does in Go.
public final class Cancellable extends Context implements AutoCloseable {
    /*
     * Shape.      A tree of contexts that can be cancelled. Each has a doubly linked list of the children to notify:
     *             contexts, functions to start (AfterFunc), threads to interrupt (ThreadBinding).
     * Invariants. (I1) once `err` is set it never changes, and no child is added or removed any more; one Cancellation
     *             notifies all children that were in the list; (I2) err and cause are set before `done` is closed;
     *             (I3) no thread holds the locks of two contexts: children are notified, and the channel is closed,
     *             after the lock is released.
     * Who writes. The holder of `lock` writes everything. err, cause and done are volatile: readers take no lock.
     */

    private static final Chan<Void> CLOSED = closedChan();

    private final @Nullable Cancellable above;
    private final @Nullable Instant ownDeadline;
    private final @Nullable Instant deadline; // its own, or inherited from the nearest cancellable ancestor
    private final ReentrantLock lock = new ReentrantLock();
    private final Child asChild = new AsChild();

    private volatile @Nullable Chan<Void> done; // created by the first call of done(), or by cancellation
    private volatile @Nullable Exception err;
    private volatile @Nullable Throwable cause;

    // The fields below are guarded by lock.
    private @Nullable Child firstChild;
    private @Nullable Child lastChild;
    private @Nullable TimerHandle timer;

    Cancellable(Context parent, @Nullable Instant ownDeadline) {
        super(parent);
        above = parent.canceller();
        this.ownDeadline = ownDeadline;
        deadline = ownDeadline != null || above == null ? ownDeadline : above.deadline;
        if (above != null) {
            above.add(asChild);
        }
    }

    static Cancellable withDeadline(Context parent, Instant deadline, @Nullable Exception cause) {
        Optional<Instant> earlier = parent.deadline();
        if (earlier.isPresent() && earlier.get().isBefore(deadline)) {
            return new Cancellable(parent, null); // the parent's deadline comes first, and ends this context too
        }
        var context = new Cancellable(parent, deadline);
        try {
            context.startTimer(deadline, cause);
        } catch (Throwable failure) {
            context.cancel(); // the caller never gets it, so remove it from its parent
            throw failure;
        }
        return context;
    }

    private void startTimer(Instant when, @Nullable Exception why) {
        var late = new TimeoutException(DEADLINE_EXCEEDED);
        Throwable because = why == null ? late : why;
        long nanos = Durations.saturatedNanos(Duration.between(Instant.now(), when));
        if (nanos == 0) {
            end(late, because);
            return;
        }
        Scheduler home = Goroutines.home();
        lock.lock();
        try {
            if (err == null) {
                // The callback runs on a carrier and must not block on our lock, so it starts a goroutine.
                timer = Goroutines.schedule(() -> Goroutines.start(home, () -> end(late, because)), nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Makes this context and all its descendants done. Later calls do nothing.  Any thread.
    ///
    /// If a function registered with [#afterFunc(Go.Body)] cannot be started, for example on OutOfMemoryError, all
    /// other descendants are still notified. This method then throws the first failure. Further failures are
    /// added to it as suppressed exceptions.
    public void cancel() {
        cancel(null);
    }

    /// Like [#cancel()], and [#cause()] returns `cause`, here and in all descendants that were not done before.
    /// If `cause` is null, it returns the same exception as [#err()].
    /// Go: CancelCauseFunc.
    public void cancel(@Nullable Throwable cause) {
        if (err == null) {
            var canceled = new CancellationException(CANCELED);
            end(canceled, cause == null ? canceled : cause);
        }
    }

    /// Cancels this context, as [#cancel()] does.
    @Override
    public void close() {
        cancel();
    }

    private void end(Exception why, Throwable because) {
        var cancellation = new Cancellation(why, because);
        cancellation.spreadFrom(this);
        if (above != null) {
            above.remove(asChild);
        }
        cancellation.report();
    }

    /// Makes this context done, unless it already is, and gives its children to `cancellation` to notify.
    void become(Cancellation cancellation) {
        TimerHandle stopped;
        Chan<Void> open;
        lock.lock();
        try {
            if (err != null) {
                return;
            }
            cause = cancellation.cause;
            err = cancellation.err;
            if (firstChild != null && lastChild != null) {
                cancellation.willTell(firstChild, lastChild);
                firstChild = null;
                lastChild = null;
            }
            open = done;
            if (open == null) {
                done = CLOSED;
            }
            stopped = timer;
            timer = null;
        } finally {
            lock.unlock();
        }
        if (stopped != null) {
            stopped.cancel();
        }
        if (open != null) {
            open.close();
        }
    }

    /// Registers `child`, to be notified when this context is done. If it is done already, notifies `child` now.
    void add(Child child) {
        lock.lock();
        try {
            if (err == null) {
                link(child);
                return;
            }
        } finally {
            lock.unlock();
        }
        child.parentIsDone(new Cancellation(Objects.requireNonNull(err), Objects.requireNonNull(cause)));
    }

    /// Removes `child`. Returns true if it was registered; then it has not been notified and never will be.
    boolean remove(Child child) {
        lock.lock();
        try {
            boolean wasThere = err == null && child.isLinked;
            if (wasThere) {
                unlink(child);
            }
            return wasThere;
        } finally {
            lock.unlock();
        }
    }

    private void link(Child child) {
        Child before = lastChild;
        child.previous = before;
        child.isLinked = true;
        lastChild = child;
        if (before == null) {
            firstChild = child;
        } else {
            before.next = child;
        }
    }

    private void unlink(Child child) {
        Child before = child.previous;
        Child after = child.next;
        if (before == null) {
            firstChild = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            lastChild = before;
        } else {
            after.previous = before;
        }
        child.previous = null;
        child.next = null;
        child.isLinked = false;
    }

    @Override
    public ReceiveChan<Void> done() {
        Chan<Void> chan = done;
        if (chan != null) {
            return chan;
        }
        lock.lock();
        try {
            chan = done;
            if (chan == null) {
                chan = Chan.make();
                done = chan;
            }
            return chan;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable Exception err() {
        return err;
    }

    @Override
    public @Nullable Throwable cause() {
        return err == null ? null : cause;
    }

    @Override
    public Optional<Instant> deadline() {
        return Optional.ofNullable(deadline);
    }

    @Override
    Cancellable canceller() {
        return this;
    }

    /// The number of registered children. For tests.
    int childCount() {
        lock.lock();
        try {
            int count = 0;
            for (Child child = firstChild; child != null; child = child.next) {
                count++;
            }
            return count;
        } finally {
            lock.unlock();
        }
    }

    @Override
    String suffix() {
        return ownDeadline == null ? ".WithCancel" : ".WithDeadline(" + ownDeadline + ")";
    }

    private static Chan<Void> closedChan() {
        Chan<Void> chan = Chan.make();
        chan.close();
        return chan;
    }

    /// This context as an entry in its parent's list of children.
    private final class AsChild extends Child {
        @Override
        void parentIsDone(Cancellation cancellation) {
            become(cancellation);
        }
    }
}
