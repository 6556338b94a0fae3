package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Every machine of a kernel that has begun and not ended, with or without a processor.
/// Go: allm.
final class MachineList {
    /*
     * Shape.      newcomers: a stack, linked by Machine.listNext, that any machine pushes itself on, once.
     *             first: the list itself, linked by the same field. Only the system monitor touches it.
     * Why.        The monitor judges machines, not only the owners of processors: a machine whose processor was taken
     *             while it blocked may compute afterwards. It must not wait for a lock, and it must not allocate.
     */

    private static final VarHandle NEWCOMERS = Handles.field(lookup(), "newcomers", Machine.class);

    private volatile @Nullable Machine newcomers; // written through NEWCOMERS

    private @Nullable Machine first;

    /// Adds a machine. Called once by each machine, on its own thread.
    void add(Machine machine) {
        Machine before;
        do {
            before = newcomers;
            machine.listNext = before;
        } while (!NEWCOMERS.compareAndSet(this, before, machine));
    }

    /// Adds newcomers to the list, removes machines that have ended, and returns the first machine; follow
    /// [Machine#listNext] to the others. System monitor only.
    @Nullable
    Machine update() {
        Machine newcomer = (Machine) NEWCOMERS.getAndSet(this, (Machine) null);
        while (newcomer != null) {
            Machine next = newcomer.listNext;
            newcomer.listNext = first;
            first = newcomer;
            newcomer = next;
        }
        while (first != null && first.hasEnded) {
            first = first.listNext;
        }
        for (Machine machine = first; machine != null; machine = machine.listNext) {
            while (machine.listNext != null && machine.listNext.hasEnded) {
                machine.listNext = machine.listNext.listNext;
            }
        }
        return first;
    }

    /// The first machine as of the last [#update]. System monitor only.
    @Nullable
    Machine first() {
        return first;
    }
}
