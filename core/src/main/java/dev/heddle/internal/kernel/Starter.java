package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.MountNotifications;
import org.jspecify.annotations.Nullable;

/// The thread that makes machines, applies a change of the CPU quota, and starts the reporter of events.
/// Go: the template thread.
final class Starter extends Thread implements KernelThread {
    /*
     * Why.        A thread must not be created on a virtual thread's stack: the constructor would run the user's
     *             `childValue`. Nor by a thread that holds a spinning token or a processor: creation takes half a
     *             millisecond, and others rely on both (N14). So processors that need a machine are queued (pending),
     *             and this thread makes the machines.
     * Order.      A new machine takes a pending processor as its first action, and so does any machine that is about to
     *             park. Whether a machine is still wanted is asked just before each is made (MachineCounts.wanted).
     * Refusals.   The system may refuse a thread, or the limit may be reached. The processors then stay queued,
     *             existing machines continue, and the starter tries again, after 1 ms at first, then up to 100 ms.
     *             The sleeper is woken: it waits without a processor and can take a pending one. One warning is
     *             printed; a Go program ends instead, with Go's message.
     * Quotas.     Changing the number of processors stops the world, which may take a while: the system monitor must
     *             not do that, so it only decides (LimitFollower.follow), and this thread acts (apply).
     * Events.     Likewise the monitor notices that the flight recorder was started, and this thread has the events
     *             reported (RecorderFollower).
     * Failures.   None ends this thread: without it, a kernel that needs another machine would freeze. A step that fails
     *             is counted and tried again.
     */

    private static final long FIRST_RETRY_NANOS = 1_000_000;
    private static final long LAST_RETRY_NANOS = 100_000_000;

    private final Kernel kernel;
    private final String machineName;
    private final Goroutine.@Nullable Factory warmUp;
    private long retry = FIRST_RETRY_NANOS;
    private boolean warned;
    private boolean hasReportedBug;
    private volatile boolean isForDefault;

    Starter(Kernel kernel, KernelOptions options) {
        super(null, null, options.name() + "-starter", 0, /* inheritInheritableThreadLocals= */ false);
        this.kernel = kernel;
        this.machineName = options.name() + "-worker-";
        this.warmUp = options.warmUp();
        setDaemon(true);
    }

    /// Processors wait for a machine. Any thread, no lock held.
    void signal() {
        Jdk.unparkCarrier(this);
    }

    /// Called for the kernel that runs every virtual thread of the JVM, before the first one exists. The
    /// starter then does the preparations, concurrently with the start of the program.
    void prepareDefault() {
        isForDefault = true;
        signal();
    }

    @Override
    public void run() {
        while (!kernel.isEnded()) {
            boolean served;
            try {
                if (isForDefault) {
                    isForDefault = false;
                    MountNotifications.stop();
                }
                kernel.limits.apply();
                kernel.recorder.apply();
                if (kernel.machineCounts.wanted() <= 0) {
                    Jdk.parkSelf(0);
                    served = true;
                } else {
                    served = startOne();
                }
            } catch (OutOfMemoryError | LinkageError failure) { // even a plan or the text of a warning needs memory
                kernel.failures.countRepair();
                served = false;
            } catch (Throwable bug) {
                kernel.failures.countRepair();
                reportOnce(bug);
                served = false;
            }
            if (served) {
                retry = FIRST_RETRY_NANOS;
            } else {
                Jdk.parkSelf(retry);
                retry = Math.min(LAST_RETRY_NANOS, 2 * retry);
            }
        }
        kernel.recorder.end();
    }

    private void reportOnce(Throwable bug) {
        if (!hasReportedBug) {
            hasReportedBug = true;
            kernel.failures.reportBug("the starter of threads failed and goes on", bug);
        }
    }

    private boolean startOne() {
        int id = kernel.machineCounts.reserve();
        if (id == 0) {
            wakeSleeper();
            atLimit();
            return false;
        }
        try {
            new Machine(kernel, id, machineName + id).startCarrier();
        } catch (Throwable refused) {
            kernel.machineCounts.unreserve();
            kernel.machineCounts.keepNoSpares();
            wakeSleeper();
            kernel.counters.refusedThreads.incrementAndGet();
            if (!isHeapExhausted(refused)) { // that is temporary, and printing needs memory, too
                warnOnce("the system refuses another thread (" + refused.getMessage() + ")");
            }
            return false;
        }
        if (warmUp != null) {
            WarmUp.once(warmUp);
        }
        return true;
    }

    /// No machine can be made. The sleeper has nothing to do and can take the processor that waits for one.
    private void wakeSleeper() {
        boolean _ = kernel.sleeper.wakeIfLaterThan(Long.MIN_VALUE);
    }

    /// Whether the heap is full. The JVM throws the same error if the system refuses a thread; only the message
    /// differs.
    private static boolean isHeapExhausted(Throwable refused) {
        String message = refused instanceof OutOfMemoryError ? refused.getMessage() : "native thread";
        return message == null || !message.contains("native thread");
    }

    private void atLimit() {
        if (!kernel.deadlock.isOn()) {
            warnOnce("the limit of " + kernel.machineCounts.most() + " threads is reached (-Dheddle.maxThreads)");
        } else if (!warned) { // a Go program ends here, with Go's message
            warned = true;
            kernel.deadlock.report("runtime: program exceeds " + kernel.machineCounts.most()
                    + "-thread limit\nfatal error: thread exhaustion");
        }
    }

    private void warnOnce(String why) {
        if (!warned && kernel.pool().hasOwner()) { // the kernel of the warm-up has no owner to warn
            String warning = "heddle: " + why + "; " + kernel.machineCounts.machines()
                    + " threads continue, and Heddle will try again later";
            warned = true; // only now: building the text may throw OutOfMemoryError
            System.err.println(warning);
        }
    }
}
