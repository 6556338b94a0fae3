package dev.heddle.kernel;

import dev.heddle.queue.TimerEntry;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// A timer of a kernel, as the `ScheduledFuture` that the JDK wants to hold. Only cancelling it is of use.
public final class KernelTimer extends TimerEntry implements ScheduledFuture<Object> {

    private final Kernel kernel;

    KernelTimer(Kernel kernel, long when, Runnable command) {
        super(when, command);
        this.kernel = kernel;
    }

    /// Lock-free, from any thread; lets go of the command at once.
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return cancel();
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
