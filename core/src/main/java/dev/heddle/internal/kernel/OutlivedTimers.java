package dev.heddle.internal.kernel;

import dev.heddle.internal.queue.TimerEntry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Moves the timers that are left when a kernel has ended to the kernel of the default scheduler.
///
/// No thread of the kernel is alive any more, so none of these timers is a thread's timeout. Its threads made them
/// for others: deadlines of contexts, functions to start, ticks of a channel on which threads of other schedulers
/// wait.
///
/// System monitor only, after the kernel has ended. No timer is added to the heaps any more; machines that are about
/// to end may still fire due timers.
final class OutlivedTimers {
    private final Kernel kernel;
    private final Supplier<Kernel> heir;

    /// A timer that was taken from its heap and not yet given to the heir. On OutOfMemoryError it stays here.
    private final @Nullable TimerEntry[] taken = new TimerEntry[1];

    OutlivedTimers(Kernel kernel, Supplier<Kernel> heir) {
        this.kernel = kernel;
        this.heir = heir;
    }

    /// Moves all timers. Asks for the heir only if there is a timer to move. When called again after an
    /// OutOfMemoryError, continues where it stopped.
    void move() {
        moveTaken();
        for (Processor processor : kernel.processors().all()) {
            while (processor.timers.nextWhen() != Long.MAX_VALUE) {
                if (processor.timers.takeDue(Long.MAX_VALUE, taken) == 0) {
                    Thread.yield(); // only cancelled timers, or a machine that is ending holds the heap
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
