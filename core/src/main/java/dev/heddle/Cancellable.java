package dev.heddle;

import dev.heddle.kernel.TimerHandle;
import dev.heddle.kernel.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A [Context] that can be cancelled. Closing it cancels it, so that a `try` block does what `defer cancel()` does.
public final class Cancellable extends Context implements AutoCloseable {
    /*
     * Shape.      A tree of contexts that can be cancelled. Each knows the children that want to hear of it:
     *             contexts, functions to start (AfterFunc), threads to interrupt (ThreadBinding).
     * Invariants. (I1) once `err` is set it stays, no child is added any more, and all children have been or are
     *             being told; (I2) err and cause are set before `done` is closed; (I3) no two locks are held at once:
     *             children are told after the lock is released.
     * Who writes. everything under `lock`; err, cause and done are volatile for readers.
     */

    /// Something below a context that is told when the context is done.
    interface Child {
        /// Called once, with no lock held.
        void parentIsDone(Exception err, Throwable cause);
    }

    private static final Chan<Void> CLOSED = closedChan();

    private final Context parent;
    private final @Nullable Instant deadline;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Chan<Void> done; // made when somebody asks for it
    private volatile @Nullable Exception err;
    private volatile @Nullable Throwable cause;

    // The rest is guarded by lock.
    private Set<Child> children = new LinkedHashSet<>();
    private @Nullable TimerHandle timer;
    private final Child asChild = this::finish;

    Cancellable(Context parent, @Nullable Instant deadline) {
        this.parent = parent;
        this.deadline = deadline;
        Cancellable above = parent.canceller();
        if (above != null) {
            above.add(asChild);
        }
    }

    static Cancellable withDeadline(Context parent, Instant deadline, @Nullable Exception cause) {
        Optional<Instant> earlier = parent.deadline();
        if (earlier.isPresent() && earlier.get().isBefore(deadline)) {
            return new Cancellable(parent, null); // done with its parent at the latest
        }
        var context = new Cancellable(parent, deadline);
        context.startTimer(deadline, cause);
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
        lock.lock();
        try {
            if (err == null) {
                // The callback runs on a carrier and must not wait for our lock.
                timer = Timers.schedule(() -> Goroutines.start(() -> end(late, because)), nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Makes this context and all below it done. Later calls do nothing.
    public void cancel() {
        cancel(null);
    }

    /// Like [#cancel()]; [#cause()] will say `cause`, here and below. Go: CancelCauseFunc.
    public void cancel(@Nullable Throwable cause) {
        if (err == null) {
            var canceled = new CancellationException(CANCELED);
            end(canceled, cause == null ? canceled : cause);
        }
    }

    /// Cancels.
    @Override
    public void close() {
        cancel();
    }

    private void end(Exception why, Throwable because) {
        finish(why, because);
        Cancellable above = parent.canceller();
        if (above != null) {
            above.remove(asChild);
        }
    }

    private void finish(Exception why, Throwable because) {
        Set<Child> told;
        TimerHandle stopped;
        lock.lock();
        try {
            if (err != null) {
                return;
            }
            cause = because;
            err = why;
            Chan<Void> chan = done;
            if (chan == null) {
                done = CLOSED;
            } else {
                chan.close();
            }
            told = children;
            children = Set.of();
            stopped = timer;
            timer = null;
        } finally {
            lock.unlock();
        }
        if (stopped != null) {
            stopped.cancel();
        }
        for (Child child : List.copyOf(told)) {
            child.parentIsDone(why, because);
        }
    }

    /// Tells `child` when this context is done: now, if it is.
    void add(Child child) {
        lock.lock();
        try {
            if (err == null) {
                children.add(child);
                return;
            }
        } finally {
            lock.unlock();
        }
        child.parentIsDone(Objects.requireNonNull(err), Objects.requireNonNull(cause));
    }

    /// Forgets `child`; says whether it was there, and so has not been told.
    boolean remove(Child child) {
        lock.lock();
        try {
            return err == null && children.remove(child);
        } finally {
            lock.unlock();
        }
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
        return deadline == null ? parent.deadline() : Optional.of(deadline);
    }

    @Override
    public <T> @Nullable T value(Key<T> key) {
        return parent.value(key);
    }

    @Override
    Cancellable canceller() {
        return this;
    }

    /// How many want to hear of this context. For tests.
    int childCount() {
        lock.lock();
        try {
            return children.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return parent + (deadline == null ? ".WithCancel" : ".WithDeadline(" + deadline + ")");
    }

    private static Chan<Void> closedChan() {
        Chan<Void> chan = Chan.make();
        chan.close();
        return chan;
    }
}
