package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.queue.TimerEntry;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A timer of a kernel. It is a `ScheduledFuture` because the JDK expects one, but it has no result: the holder can
/// only cancel it.
public final class KernelTimer extends TimerEntry implements CarrierPool.Timeout {

    private final Kernel kernel;

    /// The timer that fires in place of this one after its kernel has ended.
    private volatile @Nullable KernelTimer successor;

    KernelTimer(Kernel kernel, long when, Runnable command) {
        super(when, command);
        this.kernel = kernel;
    }

    /// Lock-free. Drops the reference to the command at once. Any thread.
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return cancel();
    }

    /// A timer may outlive its kernel: [#cancel()] on it and on its successor.  Any thread.
    @Override
    public boolean withdraw() {
        boolean cancelled = cancel();
        KernelTimer next = successor;
        if (next != null) {
            next.cancel();
        }
        return cancelled;
    }

    /// The kernel has ended, and `next` will fire in place of this timer.
    void continueAs(KernelTimer next) {
        successor = next;
        if (!isPending()) { // after the store: withdraw() cancels first, then reads the successor
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
