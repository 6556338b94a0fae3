package dev.heddle.internal.kernel;

import dev.heddle.internal.queue.TimerEntry;
import dev.heddle.internal.queue.TimerHeap;
import dev.heddle.internal.trace.EventKind;
import org.jspecify.annotations.Nullable;

/// The timers of all processors, as one: adding a timer, and the earliest deadline.
///
/// A timer is in the heap of the processor on which it was added. Machines run due timers ([DueTimers]): their own in
/// every search for work, those of other processors when they steal. One machine sleeps until the earliest of all
/// ([Sleeper]).
/// Go: addtimer (time.go).
final class KernelTimers {

    private final Kernel kernel;

    KernelTimers(Kernel kernel) {
        this.kernel = kernel;
    }

    /// Runs `command` on a carrier after the delay. The command must be short and must not block. Any thread.
    KernelTimer schedule(Runnable command, long delayNanos) {
        KernelTimer timer = new KernelTimer(kernel, TimerEntry.deadline(kernel.now(), delayNanos), command);
        kernel.entries.addTimer(timer);
        return timer;
    }

    /// Adds the timer to a heap. If it is now the earliest, makes sure that a machine wakes up in time. In the
    /// kernel, if `machine` is not null.
    void add(TimerEntry timer, @Nullable Machine machine) {
        if (kernel.tracing.isOn()) {
            kernel.tracing.note(EventKind.TIMER_ADD, Math.max(0, timer.when() - kernel.now()));
        }
        Processor own = machine == null ? null : machine.p;
        TimerHeap.Push push = own == null ? TimerHeap.Push.CLOSED : own.timers.push(timer);
        while (push == TimerHeap.Push.CLOSED) { // any live processor will do; the heap of a destroyed one is closed
            Processor[] all = kernel.processors().all();
            push = all[(int) Math.floorMod(timer.when(), (long) all.length)].timers.push(timer);
        }
        if (push == TimerHeap.Push.EARLIEST && !kernel.sleeper.wakeIfLaterThan(timer.when())) {
            if (machine != null && own != null) {
                kernel.spin.wakeProcessor(machine, /* onlyRunNext= */ false);
            } else {
                kernel.machines.startIdle();
            }
        }
    }

    /// When the earliest timer of all processors is due; `Long.MAX_VALUE` if there is none.
    long earliest() {
        long earliest = Long.MAX_VALUE;
        for (Processor processor : kernel.processors().all()) {
            earliest = Math.min(earliest, processor.timers.nextWhen());
        }
        return earliest;
    }

    /// Whether a timer of this processor is due.
    boolean isDue(Processor processor) {
        long next = processor.timers.nextWhen();
        return next != Long.MAX_VALUE && next <= kernel.now();
    }

    /// Whether a timer of any processor is due.
    boolean isAnyDue() {
        long next = earliest();
        return next != Long.MAX_VALUE && next <= kernel.now();
    }
}
