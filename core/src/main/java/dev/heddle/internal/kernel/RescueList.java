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
    void keep(Runnable resumeTask) {
        try {
            kernel.monitor.wake(); // after it the monitor samples within milliseconds
        } catch (StackOverflowError _) {
            // the entry must be kept all the same: the JDK reports it only once
        }
        Object[] before;
        do {
            before = entries.get();
        } while (!entries.compareAndSet(before, new Object[] {resumeTask, before})); // an array: no constructor call
        try {
            kernel.monitor.wake(); // the monitor may have gone to sleep meanwhile
        } catch (StackOverflowError _) {
            // unlikely to matter: the monitor sleeps deeply only after a tenth of a second in which all was idle
        }
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
            kernel.submitter.inject((Runnable) cell[0], /* starts= */ false);
            kernel.counters.rescues.incrementAndGet();
        }
    }
}
