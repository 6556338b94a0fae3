package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.stats.SchedulerStats;
import java.util.concurrent.TimeUnit;

/// What a scheduler of the API needs beneath it: Heddle's [Kernel], or the scheduler of a test tool.
///
/// The API asks the current thread's [CarrierPool] for its scheduler, and that scheduler asks its core. So goroutines,
/// timers and groups work on any scheduler that has a pool and a core. Channels and selects need neither: they park and
/// unpark threads, and the pool learns of it.
///
/// A class and not an interface, so that the JIT compiler calls [Kernel] directly as long as no other core is loaded.
public abstract class SchedulerCore {

    /// The executor of the core's virtual threads, from which they find their scheduler.
    public abstract CarrierPool pool();

    public abstract String name();

    /// Starts a goroutine. Any thread.
    public abstract void spawn(Goroutine goroutine);

    /// How many goroutines may run at the same time.
    public abstract int procs();

    public abstract void setProcs(int procs);

    /// The number of CPUs that the JVM could use when it started.
    public abstract int numCpu();

    /// Locks the current thread, one of this scheduler's virtual threads, to its carrier.
    public abstract void lockThread();

    /// Undoes one call of [#lockThread].
    public abstract void unlockThread();

    public abstract SchedulerStats stats();

    /// Refuses new goroutines and threads from now on. Live ones go on.
    public abstract void close();

    /// Waits until the last goroutine or thread of a closed scheduler has ended; false if that took too long.
    public abstract boolean awaitEnd(long timeout, TimeUnit unit) throws InterruptedException;
}
