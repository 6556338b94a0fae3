package dev.heddle;

import dev.heddle.internal.kernel.Goexit;
import dev.heddle.internal.kernel.Goroutine;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.kernel.Parking;
import java.util.concurrent.Callable;

/// Goroutines: what the `go` statement and package `runtime` are in Go.
///
/// Called on a goroutine or another virtual thread of a [Scheduler], everything here concerns that scheduler;
/// called from anywhere else, the default one.
public final class Go {

    private Go() {}

    /// What a goroutine does.
    @FunctionalInterface
    public interface Body extends Goroutine.Body {
        @Override
        void run() throws Throwable;
    }

    /// Starts a goroutine. An exception that it does not catch goes to the scheduler's handler, and to nobody
    /// else. Any thread. Go: `go body()`.
    public static void go(Body body) {
        Scheduler.current().go(body);
    }

    /// Runs a program: `body` is the main goroutine, and when it returns so does this method, whoever else
    /// still runs. If nothing can ever run again, says so in Go's words, shows every goroutine and ends the JVM
    /// with status 2. Called once, from the JVM's main thread. Go: func main.
    ///
    /// @throws Throwable what the body threw
    public static void main(Body body) throws Throwable {
        Scheduler.current().kernel().runMain(body);
    }

    /// Lets others run first: the caller goes to the end of the global queue, if anybody else is runnable. Go:
    /// runtime.Gosched.
    public static void gosched() {
        Parking.gosched();
    }

    /// Runs an operation that will block its carrier thread, such as a call into a native library: the
    /// processor goes to others at once. Ordinary blocking calls of the JDK need no such help. Any thread.
    public static <T> T blocking(Callable<T> operation) throws Exception {
        return Kernel.blocking(operation);
    }

    /// Ties the calling goroutine or virtual thread to its carrier thread, which runs nothing else until as
    /// many calls of [#unlockOSThread]. A goroutine that ends locked takes its carrier with it. Go:
    /// runtime.LockOSThread.
    public static void lockOSThread() {
        Scheduler.current().kernel().lockThread();
    }

    /// Undoes one [#lockOSThread]; without one it does nothing. Go: runtime.UnlockOSThread.
    public static void unlockOSThread() {
        Scheduler.current().kernel().unlockThread();
    }

    /// Ends the calling goroutine, having run its finally blocks. Go: runtime.Goexit.
    public static void goexit() {
        throw new Goexit();
    }

    /// Sets how many goroutines run at the same time, if `procs` is positive; returns the number before. Go:
    /// GOMAXPROCS.
    public static int gomaxprocs(int procs) {
        Scheduler scheduler = Scheduler.current();
        int before = scheduler.procs();
        if (procs > 0) {
            scheduler.setProcs(procs);
        }
        return before;
    }

    /// Goroutines and virtual threads of the scheduler that have started and not ended. Go:
    /// runtime.NumGoroutine.
    public static long numGoroutine() {
        return Scheduler.current().stats().live();
    }

    /// The processors that this JVM could use when it started. Go: runtime.NumCPU.
    public static int numCPU() {
        return Scheduler.current().kernel().limits().numCpu();
    }
}
