package dev.heddle;

import dev.heddle.internal.event.Goexit;
import dev.heddle.internal.runtime.Parking;
import java.util.concurrent.Callable;

/// Starts and controls goroutines: the counterpart of Go's `go` statement and package `runtime`.
///
/// On a goroutine or another virtual thread of a [Scheduler], the methods here act on that scheduler. On any other
/// thread they act on the default scheduler.
public final class Go {

    private Go() {}

    /// The code that a goroutine runs.
    @FunctionalInterface
    public interface Body {
        void run() throws Throwable;
    }

    /// Starts a goroutine. An exception that it does not catch goes to the scheduler's uncaught exception
    /// handler; if the scheduler has none, to the handler of the goroutine's thread. Any thread.
    /// Go: `go body()`.
    ///
    /// @throws java.util.concurrent.RejectedExecutionException if the scheduler is closed
    /// @throws StackOverflowError if the caller has less than 16 KB of stack left; nothing was started
    public static void go(Body body) {
        Scheduler.current().go(body);
    }

    /// Runs a program with `body` as its main goroutine. When `body` returns, so does this method, even if
    /// other goroutines still run. If no goroutine can ever run again, prints Go's deadlock message and every
    /// goroutine, and ends the JVM with status 2. Called once, from the JVM's main thread. Go: func main.
    ///
    /// @throws Throwable what the body threw
    public static void main(Body body) throws Throwable {
        Scheduler.current().runMain(body);
    }

    /// Yields: the caller goes behind the goroutines that are runnable now: all that wait for its processor, and
    /// the processor's share of the global queue. Returns at once if there are none.
    /// Go: runtime.Gosched.
    public static void gosched() {
        Parking.gosched();
    }

    /// Runs an operation that will block its carrier thread, such as a call into a native library. The
    /// scheduler gives the processor to other goroutines at once. The JDK's ordinary blocking calls do not need
    /// this. Any thread.
    public static <T> T blocking(Callable<T> operation) throws Exception {
        return Parking.blocking(operation);
    }

    /// Locks the calling goroutine or virtual thread to its carrier thread. The carrier runs nothing else until
    /// [#unlockOSThread] has been called as often as this method. If a goroutine ends while locked, its carrier
    /// thread ends too. Go: runtime.LockOSThread.
    ///
    /// @throws IllegalStateException if the caller is not a goroutine or virtual thread of a [Scheduler]
    public static void lockOSThread() {
        Scheduler.current().lockThread();
    }

    /// Undoes one call of [#lockOSThread]; does nothing if the caller is not locked.
    /// Go: runtime.UnlockOSThread.
    ///
    /// @throws IllegalStateException if the caller is not a goroutine or virtual thread of a [Scheduler]
    public static void unlockOSThread() {
        Scheduler.current().unlockThread();
    }

    /// Ends the calling goroutine after its finally blocks have run.
    /// Go: runtime.Goexit.
    public static void goexit() {
        throw new Goexit();
    }

    /// Sets how many goroutines may run at the same time, if `procs` is positive; returns the previous number.
    /// Go: GOMAXPROCS.
    public static int gomaxprocs(int procs) {
        Scheduler scheduler = Scheduler.current();
        int before = scheduler.procs();
        if (procs > 0) {
            scheduler.setProcs(procs);
        }
        return before;
    }

    /// The number of goroutines and virtual threads of the scheduler that have started and not ended.
    /// Go: runtime.NumGoroutine.
    public static long numGoroutine() {
        return Scheduler.current().stats().live();
    }

    /// The number of CPUs that this JVM could use when it started.
    /// Go: runtime.NumCPU.
    public static int numCPU() {
        return Scheduler.current().numCpu();
    }
}
