package dev.heddle.internal.jdk;

import java.util.concurrent.Delayed;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A note in an unmounted virtual thread that it has not run since an observer first saw it so.
final class WaitMark implements Future<Object> {
    /*
     * How long a thread has waited is not recorded anywhere: neither the JDK nor the kernel counts parks. Two samples
     * that show a thread at the same place may show two waits, one after the other.
     *
     * Shape.      VirtualThread.timeoutTask is the timer of a timed park or timed wait, else null. When the thread
     *             continues after UNPARKED or UNBLOCKED, runContinuation cancels what is there and sets the field to
     *             null. So an observer that puts a mark there will find it again only if the thread has not run since.
     * Who writes. The JDK: the carrier that unmounts or mounts the thread. Observers: only while they hold the thread
     *             suspended, see ThreadSnapshotter. Both are ordered by the volatile state of the thread.
     * Invariants. (I1) a timer is never lost: a mark keeps it, and passes cancel on. (I2) a mark of a waiting thread is
     *             not believed of a runnable one, and vice versa: those are two times.
     * Rejected.   A map from threads to times: it would grow with the threads and need a lock between observers.
     *             A counter in the kernel: a store for each mount, which only observers need. A mark for threads that
     *             yielded: the JDK does not clear the field when they continue. One for threads that have not begun:
     *             they cannot be suspended.
     * Sources.    JDK 25, VirtualThread.runContinuation, cancelTimeoutTask, afterYield.
     */

    private static final long TIMEOUT_TASK = Jdk.U.objectFieldOffset(Jdk.VIRTUAL_THREAD, "timeoutTask");
    private static final long TIMEOUT = Jdk.U.objectFieldOffset(Jdk.VIRTUAL_THREAD, "timeout");

    private final long sinceNanos;
    private boolean runnable;
    private @Nullable Future<?> timer;

    /// To be made before the thread is suspended: memory may be short.
    WaitMark(long nowNanos) {
        this.sinceNanos = nowNanos;
    }

    /// How long the thread has been in its present condition, waiting or runnable, in nanoseconds: since an
    /// observer first saw it, so at least that long; 0 if that is now; -1 if it cannot be known. Leaves `fresh` in
    /// the thread if it has no mark. The caller holds the thread suspended.
    static long seenNanos(Thread thread, int state, WaitMark fresh) {
        return switch (state) {
            case ThreadState.PARKED, ThreadState.BLOCKED, ThreadState.WAIT ->
                seenNanos(thread, /* runnable= */ false, fresh);
            case ThreadState.UNPARKED, ThreadState.UNBLOCKED -> seenNanos(thread, /* runnable= */ true, fresh);
            default -> -1;
        };
    }

    private static long seenNanos(Thread thread, boolean runnable, WaitMark fresh) {
        Object task = Jdk.U.getReference(thread, TIMEOUT_TASK);
        if (task instanceof WaitMark mark && mark.runnable == runnable) {
            return Math.max(0, fresh.sinceNanos - mark.sinceNanos);
        }
        fresh.runnable = runnable;
        fresh.timer = task instanceof WaitMark other ? other.timer : (Future<?>) task;
        Jdk.U.putReference(thread, TIMEOUT_TASK, fresh);
        return 0;
    }

    /// How long ago the thread's timed park or timed wait began, in nanoseconds; -1 if it is in none. The caller holds
    /// the thread suspended.
    static long timedNanos(Thread thread, int state) {
        TimeUnit unit = switch (state) {
            case ThreadState.TIMED_PARKED -> TimeUnit.NANOSECONDS;
            case ThreadState.TIMED_WAIT -> TimeUnit.MILLISECONDS;
            default -> null;
        };
        if (unit == null || !(Jdk.U.getReference(thread, TIMEOUT_TASK) instanceof Delayed timer)) {
            return -1;
        }
        long timeout = unit.toNanos(Jdk.U.getLong(thread, TIMEOUT));
        return Math.max(0, timeout - timer.getDelay(TimeUnit.NANOSECONDS));
    }

    /// The thread continues. Called by the JDK, on the carrier.
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        Future<?> kept = timer;
        return kept != null && kept.cancel(mayInterruptIfRunning);
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public boolean isDone() {
        return false;
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
        return new UnsupportedOperationException("an observer's mark has no result to wait for");
    }
}
