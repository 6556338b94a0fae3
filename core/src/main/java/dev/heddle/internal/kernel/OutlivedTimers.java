package dev.heddle.internal.kernel;

import dev.heddle.internal.queue.TimerEntry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The timers that are left when a kernel has ended: they move to the kernel of the default scheduler.
///
/// No thread of the kernel is alive any more, so none of them is a thread's timeout. They are what its threads
/// had made for others: deadlines of contexts, functions to start, ticks of a channel at which threads of other
/// schedulers wait.
///
/// System monitor only, after the end. Nothing is added to the heaps any more; machines on their way out may
/// still fire what is due.
final class OutlivedTimers {
    private final Kernel kernel;
    private final Supplier<Kernel> heir;

    /// Taken from its heap, and not yet with the heir: kept here if there is no memory for the next step.
    private final @Nullable TimerEntry[] taken = new TimerEntry[1];

    OutlivedTimers(Kernel kernel, Supplier<Kernel> heir) {
        this.kernel = kernel;
        this.heir = heir;
    }

    /// Moves all of them. The heir is asked for only if there is one to move. After an OutOfMemoryError, goes
    /// on where it stopped.
    void move() {
        moveTaken();
        for (Processor processor : kernel.processors().all()) {
            while (processor.timers.nextWhen() != Long.MAX_VALUE) {
                if (processor.timers.takeDue(Long.MAX_VALUE, taken) == 0) {
                    Thread.yield(); // there were only cancelled ones, or a machine on its way out has the heap
                }
                moveTaken();
            }
        }
    }

    private void moveTaken() {
        if (taken[0] instanceof KernelTimer timer) {
            timer.continueAs(heir.get().schedule(timer::fire, timer.when() - kernel.now()));
        }
        taken[0] = null;
    }
}
