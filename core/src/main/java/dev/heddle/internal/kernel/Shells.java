package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.trace.TraceBuffer;
import org.jspecify.annotations.Nullable;

/// Starts shells for fresh goroutines on one machine. When the goroutine of a shell has ended, finds the next one for
/// that shell. Used by that machine only, in the kernel.
/// Go: gfget, gfput.
final class Shells {
    /*
     * Start.      A shell is a virtual thread, and the JDK starts it by handing its resume task to the scheduler, that
     *             is to this very machine, which is in the kernel already. Submitter.ready recognises the task by
     *             isStarting and gives it to keep, so that Machine.execute can run it at once instead of queueing it.
     * Reuse.      When the goroutine of a shell ends, the shell asks for the next one (next). It gets one only if the
     *             next entry in the ordinary order is a fresh goroutine, and only if its own goroutines never parked:
     *             other threads may hold a reference to a thread that parked. Otherwise the shell ends.
     */

    private final Machine machine;
    private final Kernel kernel;

    private boolean isStarting;
    private @Nullable Runnable started;

    Shells(Machine machine, Kernel kernel) {
        this.machine = machine;
        this.kernel = kernel;
    }

    /// Whether the resume task that becomes runnable now is that of the shell that is being started.
    boolean isStarting() {
        return isStarting;
    }

    /// Keeps the resume task of the shell that is being started.
    void keep(Runnable resumeTask) {
        started = resumeTask;
    }

    /// Makes a shell for the goroutine, starts it, and returns its resume task. Null on OutOfMemoryError or
    /// StackOverflowError. With a processor.
    @Nullable
    Runnable start(Goroutine goroutine) {
        isStarting = true;
        Shell shell = null;
        try {
            shell = new Shell(kernel, goroutine);
            shell.mountedOn(machine, machine.mounts() + 1);
            Thread thread = Jdk.newBareVirtualThread(kernel.pool(), shell);
            machine.owned().shells.add(shell);
            shell.setThread(thread);
            kernel.goroutines.start(thread);
            Runnable task = started;
            if (task == null) {
                throw new SchedulerBug("a shell was started but did not come back");
            }
            return task;
        } catch (OutOfMemoryError | StackOverflowError _) {
            kernel.failures.countRepair();
            if (shell != null) {
                shell.setThread(null);
            }
            return null;
        } finally {
            isStarting = false;
            started = null;
        }
    }

    /// The step between two goroutines of a shell. Returns the next goroutine; null: the shell ends.
    @Nullable
    Goroutine next(Shell shell) {
        TraceBuffer events = machine.trace;
        if (events != null) {
            tellEnd(events, shell.hasRunOne());
        }
        if (shell.hasRunOne()) {
            machine.countEnd(); // once for each goroutine, however often it was queued
        }
        Processor processor = machine.p;
        if (processor != null && !shell.hasParked(machine) && machine.mayRunMore()) {
            Goroutine next = machine.search.nextFresh(processor);
            if (next != null) {
                kernel.latency.runs(next);
                if (events != null) {
                    kernel.tracing.startsFresh(
                            machine, events, next, Thread.currentThread().threadId());
                }
                processor.countSwitch();
                return next;
            }
        }
        shell.setThread(null);
        Jdk.claimEnd(Thread.currentThread()); // the goroutines were counted one by one; the thread itself is not
        return null;
    }

    /// The goroutine that the shell has started has ended, or never ran there. On the shell's stack.
    static void tellEnd(TraceBuffer events, boolean hasRunOne) {
        if (hasRunOne) {
            events.goEnd();
        } else {
            events.goVoid(); // the goroutine was queued twice, and has run elsewhere
        }
    }
}
