package dev.heddle.internal.kernel;

import dev.heddle.internal.queue.TimerEntry;
import dev.heddle.internal.trace.EventKind;
import org.jspecify.annotations.Nullable;

/// Runs due timers on one machine, its own processor's or a victim's. Used by that machine only, in the kernel, with a
/// processor.
final class DueTimers {

    private static final int MOST_AT_ONCE = 64;

    /// When the command of a timer is run again after OutOfMemoryError. A guess.
    private static final long RETRY_NANOS = 1_000_000;

    private final Machine machine;
    private final Kernel kernel;

    /// Timers that were taken from a heap and are about to fire. Empty between two runs, unless one failed.
    private final @Nullable TimerEntry[] taken = new TimerEntry[MOST_AT_ONCE];

    DueTimers(Machine machine, Kernel kernel) {
        this.machine = machine;
        this.kernel = kernel;
    }

    /// Runs the due timers of `processor`. Threads that become runnable go to this machine's processor. The
    /// callbacks run outside the heap's lock, because a callback may take a lock under which another thread adds a
    /// timer. True if any timer fired.
    /// Go: timers.check.
    boolean run(Processor processor) {
        if (processor.timers.nextWhen() == Long.MAX_VALUE) {
            return false;
        }
        long now = kernel.now();
        if (!processor.timers.hasWork(now)) {
            return false;
        }
        int count = take(processor, now);
        for (int i = 0; i < count; i++) {
            TimerEntry timer = taken[i];
            taken[i] = null;
            if (timer != null) {
                fire(timer);
            }
        }
        if (count > 0) {
            machine.note(EventKind.TIMERS, processor.id, count);
        }
        machine.owned().timersFired += count;
        return count > 0;
    }

    /// Takes due timers from the heap of `processor`. Returns how many.
    int take(Processor processor, long now) {
        return processor.timers.takeDue(now, taken);
    }

    /// The machine has failed: puts the timers that it has not fired yet back into a heap.
    void giveBack() {
        for (int i = 0; i < taken.length; i++) {
            TimerEntry timer = taken[i];
            if (timer != null) {
                taken[i] = null;
                timer.retryAt(kernel.now());
                kernel.timers.add(timer, null);
            }
        }
    }

    private void fire(TimerEntry timer) {
        try {
            timer.fire();
        } catch (OutOfMemoryError failure) { // a timer that is lost may leave a thread waiting for ever
            kernel.failures.countRepair();
            timer.retryAt(kernel.now() + RETRY_NANOS);
            kernel.timers.add(timer, machine);
        } catch (Throwable failure) {
            kernel.failures.timerFailed(machine, failure);
        }
    }
}
