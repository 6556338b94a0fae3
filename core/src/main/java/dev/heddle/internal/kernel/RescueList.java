package dev.heddle.internal.kernel;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Threads that became runnable on a caller that had neither stack nor machine, and the system monitor's part in the
/// rescue: it queues these, and what the [Rescue] of every machine keeps.
final class RescueList {

    private final Kernel kernel;

    /// A linked list: each cell holds an entry and the next cell.
    private final AtomicReference<Object @Nullable []> entries = new AtomicReference<>();

    RescueList(Kernel kernel) {
        this.kernel = kernel;
        entries.compareAndSet(null, null); // links the call now: linking needs more stack than the callers of keep have
    }

    /// Keeps an entry. Any thread that is not one of this kernel's machines.
    ///
    /// @throws StackOverflowError if there is no stack to keep the entry, or none to wake the monitor. A monitor
    ///     that sleeps deeply finds the entry only after a minute then, and an unpark that returns normally must
    ///     not take that long.
    void keep(Runnable resumeTask) {
        Object[] before;
        do {
            before = entries.get();
        } while (!entries.compareAndSet(before, new Object[] {resumeTask, before})); // an array: no constructor call
        kernel.monitor.wake(); // after the entry is visible: see SystemMonitor, Deep sleep
    }

    boolean isEmpty() {
        return entries.get() == null;
    }

    /// Queues all entries that were kept on a stack overflow. System monitor only.
    void drainAll() {
        // A list is cleared only after its entries are queued, because queueing may throw OutOfMemoryError. If the
        // list has grown meanwhile, or queueing failed half-way, some entries are queued twice, which is harmless.
        Object[] first = entries.get();
        if (first != null) {
            injectAll(first);
            entries.compareAndSet(first, null);
        }
        for (Machine machine = kernel.allMachines.first(); machine != null; machine = machine.listNext) {
            Object[] cells = machine.rescue.entries;
            if (cells != null) {
                injectAll(cells);
                machine.rescue.forget(cells);
            }
        }
    }

    private void injectAll(Object[] first) {
        for (Object[] cell = first; cell != null; cell = (Object[]) cell[1]) {
            kernel.counters.rescues.incrementAndGet(); // first: the thread may read it
            kernel.submitter.inject((Runnable) cell[0], /* starts= */ false);
        }
    }
}
