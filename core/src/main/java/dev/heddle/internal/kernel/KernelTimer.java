package dev.heddle.internal.kernel;

import dev.heddle.internal.queue.TimerEntry;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A timer of a kernel, as the `ScheduledFuture` that the JDK wants to hold. Only cancelling it is of use.
public final class KernelTimer extends TimerEntry implements ScheduledFuture<Object> {

    private final Kernel kernel;

    /// What fires this one, since its own kernel has ended.
    private volatile @Nullable KernelTimer successor;

    KernelTimer(Kernel kernel, long when, Runnable command) {
        super(when, command);
        this.kernel = kernel;
    }

    /// Lock-free, from any thread; lets go of the command at once.
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return cancel();
    }

    /// [#cancel()], for a timer that may outlive its kernel.  Any thread.
    boolean withdraw() {
        boolean cancelled = cancel();
        KernelTimer next = successor;
        if (next != null) {
            next.cancel();
        }
        return cancelled;
    }

    /// The kernel has ended, and `next` will fire this timer.
    void continueAs(KernelTimer next) {
        successor = next;
        if (!isPending()) { // after the store: whoever cancels looks for the successor afterwards
            next.cancel();
        }
    }

    @Override
    public long getDelay(TimeUnit unit) {
        return unit.convert(when() - kernel.now(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
        return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }

    @Override
    public boolean isDone() {
        return !isPending();
    }

    @Override
    public Object get() {
        throw notAFuture();
    }

    @Override
    public Object get(long timeout, TimeUnit unit) {
        throw notAFuture();
    }

    private static UnsupportedOperationException notAFuture() {
        return new UnsupportedOperationException("a timer of the scheduler has no result to wait for");
    }
}
