package dev.heddle.kernel;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// Where timers of the API go: to the processors' heaps, or to the JDK's timer thread while no scheduler is there.
public final class Timers {
    private static volatile TimerService service = Timers::scheduleInJdk;

    private Timers() {}

    /// See [TimerService#schedule(Runnable, long)].
    public static TimerHandle schedule(Runnable callback, long delayNanos) {
        return service.schedule(callback, delayNanos);
    }

    /// Sends all timers started from now on to `next`.
    public static void install(TimerService next) {
        service = next;
    }

    private static TimerHandle scheduleInJdk(Runnable callback, long delayNanos) {
        ScheduledFuture<?> future =
                ForkJoinPool.commonPool().schedule(callback, Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }
}
