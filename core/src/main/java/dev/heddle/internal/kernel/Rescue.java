package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.ThreadState;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// What one machine could not do for lack of stack or memory, and does later. Nothing that became runnable is lost.
final class Rescue {
    /*
     * In flight      kept in               finished by
     * an entry       entries               the machine's next kernel entry or its loop; the system monitor, if the
     *                                      machine stays in user code or has ended (RescueList)
     * a pin          pinsOwed              the machine's next kernel entry; dropped when its thread unmounts
     * a goroutine without a shell
     *                Processor.stalled     the owner of that processor, when it has nothing else to do
     * a thread between two of its states
     *                the thread itself     repair: the machine that ran it
     *
     * Stores.     A stack overflows only at a call. So the code that keeps an entry makes no call: it stores a new cell
     *             {entry, next cell} into `entries`. Three places do that: the frame of EntryPoints, when a section
     *             fails; EntryPoints.readyWithoutRoom, when there is too little stack for a section; and
     *             Submitter.start, for an entry that the new goroutine displaced from runNext. All run on this machine.
     * Twice.      The monitor and the machine may both queue the same entry. That is harmless: a resume task that is
     *             queued twice runs once, because the second run finds the thread in another state.
     */

    private static final VarHandle ENTRIES = Handles.field(lookup(), "entries", Object[].class);

    private static final long RETRY_NANOS = 1_000_000;

    private final Machine machine;
    private final Kernel kernel;

    /// Entries that could not be queued: a linked list of cells, each holding an entry and the next cell.
    /// Written by stores in [EntryPoints] and [Submitter] on this machine, and here; see Stores.
    volatile Object @Nullable [] entries;

    /// Pins of the mounted thread that could not be undone because of a stack overflow. Raised by [EntryPoints],
    /// cleared by [Machine] when the next thread is mounted. Own thread only.
    int pinsOwed;

    Rescue(Machine machine, Kernel kernel) {
        this.machine = machine;
        this.kernel = kernel;
    }

    /// Whether [#settle] has anything to do. On this carrier.
    boolean isOwed() {
        return entries != null || pinsOwed != 0;
    }

    /// Completes what a stack overflow left undone. The caller has enough stack now.
    void settle() {
        while (pinsOwed > 0) {
            Jdk.unpin();
            pinsOwed--;
        }
        drain();
    }

    /// Queues the entries that were kept. Own thread only.
    void drain() {
        for (Object[] cell = entries; cell != null; cell = entries) {
            kernel.counters.rescues.incrementAndGet(); // first: the thread may read it
            kernel.submitter.injectPatiently((Runnable) cell[0]);
            entries = (Object[]) cell[1];
        }
    }

    /// Drops `cells`: the system monitor has queued all of their entries.
    void forget(Object[] cells) {
        boolean _ = ENTRIES.compareAndSet(this, cells, (Object[]) null); // fails if cells were added: tried again
    }

    /// Makes a thread runnable again after the JDK failed between two of its states, for example on
    /// OutOfMemoryError. A park may return early; a thread that never runs again would be a bug.
    void repair(Runnable task) {
        kernel.failures.countRepair();
        int state = Jdk.stateOf(task);
        int repaired = switch (state) {
            case ThreadState.PARKING, ThreadState.TIMED_PARKING -> ThreadState.UNPARKED;
            case ThreadState.WAITING, ThreadState.TIMED_WAITING -> ThreadState.UNBLOCKED;
            default -> state;
        };
        if (state != repaired && !Jdk.repairState(task, state, repaired)) {
            return; // another thread has already changed the state
        }
        if (Machine.isRunnable(repaired)) {
            kernel.submitter.injectPatiently(task);
        }
    }

    /// No shell could be made: waits briefly for memory, then returns the latest stalled goroutine for another
    /// attempt. In the kernel, with a processor.
    @Nullable
    Runnable retryStalled(Processor processor) {
        kernel.spin.dropToken(machine);
        Jdk.parkSelf(RETRY_NANOS);
        return processor.takeStalled();
    }
}
