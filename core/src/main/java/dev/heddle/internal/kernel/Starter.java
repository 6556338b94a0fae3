package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.MountNotices;
import org.jspecify.annotations.Nullable;

/// The thread that makes machines, and applies a change of the CPU quota. Go: the template thread.
///
/// A thread is never created on a virtual thread's stack, where the constructor would run the user's `childValue`,
/// nor by a thread that holds a spinning token or a processor (N14). Processors that need a machine are queued. A
/// new machine takes one as its first action, and so does any machine that is about to park. If no thread can be
/// created, the processors stay queued, existing machines continue, and the starter tries again.
final class Starter extends Thread implements KernelThread {

    private static final long FIRST_RETRY_NANOS = 1_000_000;
    private static final long LAST_RETRY_NANOS = 100_000_000;

    private final Kernel kernel;
    private final String machineName;
    private final Goroutine.@Nullable Factory warmUp;
    private long retry = FIRST_RETRY_NANOS;
    private boolean warned;
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
                    MountNotices.stop();
                }
                kernel.limits.apply();
                if (kernel.machineCounts.wanted() <= 0) {
                    Jdk.parkCarrier(0);
                    served = true;
                } else {
                    served = startOne();
                }
            } catch (OutOfMemoryError | LinkageError failure) { // even a plan or the text of a warning needs memory
                kernel.failures.countRepair();
                served = false;
            }
            if (served) {
                retry = FIRST_RETRY_NANOS;
            } else {
                Jdk.parkCarrier(retry);
                retry = Math.min(LAST_RETRY_NANOS, 2 * retry);
            }
            boolean _ = Thread.interrupted();
        }
    }

    private boolean startOne() {
        int id = kernel.machineCounts.reserve();
        if (id == 0) {
            atLimit();
            return false;
        }
        try {
            new Machine(kernel, id, machineName + id).startCarrier();
            if (warmUp != null) {
                Rehearsal.once(warmUp);
            }
            return true;
        } catch (Throwable refused) {
            kernel.machineCounts.unreserve();
            kernel.machineCounts.keepNoSpares();
            boolean _ = kernel.sleeper.wakeIfLaterThan(Long.MIN_VALUE); // the sleeper can take the waiting processor
            kernel.counters.refusedThreads.incrementAndGet();
            if (!isHeapExhausted(refused)) { // that is temporary, and printing needs memory, too
                warnOnce("the system refuses another thread (" + refused.getMessage() + ")");
            }
            return false;
        }
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
                    + " threads go on with the work, and more are tried for later";
            warned = true; // only now: building the text may throw OutOfMemoryError
            System.err.println(warning);
        }
    }
}
