package dev.heddle.internal.runtime;

import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.kernel.Kernel;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Where timers of the API go: to the heaps of the current thread's scheduler, or to those of the default one if the
/// thread is not Heddle's.
///
/// A goroutine's timers are in its own scheduler's heap. The deadlock detector relies on that: a timer there means that
/// a goroutine will be woken (F84). A scheduler that ends leaves its timers to the default one: see `OutlivedTimers`.
public final class Timers {
    private Timers() {}

    /// Runs `callback` once, `delayNanos` from now or soon after; at once, but not on this stack, if that is not
    /// positive.  Any thread.
    ///
    /// A callback runs on a carrier, in the middle of the scheduling loop: it must not block, park, or take a lock
    /// other than by trying (N17). Longer work belongs in a goroutine.
    ///
    /// @param byDefault asked if the thread is not Heddle's
    public static TimerHandle schedule(Runnable callback, long delayNanos, Supplier<Kernel> byDefault) {
        CarrierPool pool = Jdk.poolOf(Thread.currentThread());
        CarrierPool.Timeout timer = (pool == null ? byDefault.get().pool() : pool)
                .schedule(callback, Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
        return timer::withdraw;
    }

    /// Like [#schedule], in a JVM that hides its internals from Heddle: by the JDK's timer thread.
    public static TimerHandle scheduleInJdk(Runnable callback, long delayNanos) {
        ScheduledFuture<?> future =
                ForkJoinPool.commonPool().schedule(callback, Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }
}
