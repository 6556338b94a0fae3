package dev.heddle.kernel;

import dev.heddle.jdk.Jdk;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// Where timers of the API go: to the heaps of the current thread's scheduler, or to the JDK's timer thread if it has
/// none of Heddle's.
///
/// That a goroutine's timers are in its own scheduler's heap is also what tells the deadlock detector that somebody
/// will be woken (F84).
public final class Timers {
    private Timers() {}

    /// Runs `callback` once, `delayNanos` from now or soon after; at once, but not on this stack, if that is not
    /// positive.  Any thread.
    ///
    /// A callback runs on a carrier, in the middle of the scheduling loop: it must not block, park, or take a lock
    /// other than by trying (N17). What takes longer is given to a goroutine.
    public static TimerHandle schedule(Runnable callback, long delayNanos) {
        return Parking.KERNEL_MAY_RUN ? scheduleHere(callback, delayNanos) : scheduleInJdk(callback, delayNanos);
    }

    private static TimerHandle scheduleHere(Runnable callback, long delayNanos) {
        if (Jdk.poolOf(Thread.currentThread()) instanceof KernelPool pool) {
            KernelTimer timer = pool.kernel().schedule(callback, Math.max(0, delayNanos));
            return timer::cancel;
        }
        return scheduleInJdk(callback, delayNanos);
    }

    private static TimerHandle scheduleInJdk(Runnable callback, long delayNanos) {
        ScheduledFuture<?> future =
                ForkJoinPool.commonPool().schedule(callback, Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }
}
