package dev.heddle.internal.runtime;

import dev.heddle.internal.event.WaitReason;
import dev.heddle.internal.event.WaitRecord;
import dev.heddle.internal.jdk.Access;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.settings.Settings;
import java.util.concurrent.Callable;

/// The places where Heddle's API gives up the processor: all that channels and wait groups know of the kernel.
///
/// They work the same on goroutines, on any other virtual thread and on platform threads.
/// Go: gopark and goready (proc.go).
public final class Parking {
    private static final Parker PARKER = configured();
    private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 20 : 0; // 20: 40 ns each on x86

    /// False in a JVM that hides its internals from Heddle: no kernel can run there, and the kernel's classes
    /// cannot be linked. Channels still work, on the JDK's own threads.
    private static final boolean KERNEL_MAY_RUN = Access.problem() == null;

    private Parking() {}

    /// Parks the current thread. May return spuriously: callers wait in a loop.
    ///
    /// `reason` and the time are recorded for dumps: see [WaitRecord#of(Thread)]. A `blocker` that is a
    /// [WaitRecord] is used as it is; any other is wrapped in one.  Any thread; never under a lock.
    public static void park(WaitReason reason, Object blocker) {
        PARKER.park(recordFor(reason, blocker));
    }

    /// Like [#park(WaitReason, Object)], for at most `nanos`; returns at once if that is not positive.
    public static void parkNanos(WaitReason reason, Object blocker, long nanos) {
        if (nanos > 0) {
            PARKER.parkNanos(recordFor(reason, blocker), nanos);
        }
    }

    /// Makes `thread` runnable, or its next park return at once.  Any thread; never under a lock.
    public static void unpark(Thread thread) {
        PARKER.unpark(thread);
    }

    /// How often a lock of the API retries before it queues: for about a microsecond in total (N19). 0 if the
    /// JVM has only one CPU, since the holder cannot run while the waiter spins.
    public static int spins() {
        return SPINS;
    }

    /// Whether a thread that has to wait should check again [#spins] times before it parks. A park and the
    /// switch back cost more than that, and a thread on another processor may be about to end the wait.
    /// Go: sync_runtime_canSpin, for its mutexes.
    public static boolean maySpin() {
        return KERNEL_MAY_RUN && Kernel.canSpin();
    }

    /// A scheduling point: a goroutine whose time slice is over yields here (N8).
    ///
    /// Called at the start of every channel operation and select, while no lock is held.
    public static void checkpoint() {
        if (KERNEL_MAY_RUN) {
            Kernel.checkpoint();
        }
    }

    /// Lets other runnable threads run first, if there are any.
    /// Go: Gosched.
    public static void gosched() {
        if (KERNEL_MAY_RUN) {
            Kernel.gosched();
        } else {
            Thread.yield();
        }
    }

    /// Runs an operation that will block its carrier: the processor goes to other threads at once.  Any thread.
    /// Go: entersyscallblock, exitsyscall.
    public static <T> T blocking(Callable<T> operation) throws Exception {
        return KERNEL_MAY_RUN ? Kernel.blocking(operation) : operation.call();
    }

    private static WaitRecord recordFor(WaitReason reason, Object blocker) {
        return blocker instanceof WaitRecord waiting ? waiting : new WaitRecord.Plain(reason, blocker);
    }

    private static Parker configured() {
        String name = Settings.text(Settings.PARKER);
        if (name == null) {
            return new Parker.OfLockSupport();
        }
        try {
            return (Parker) Class.forName(name).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalStateException(Settings.PARKER + "=" + name + " does not name a usable Parker", e);
        }
    }
}
