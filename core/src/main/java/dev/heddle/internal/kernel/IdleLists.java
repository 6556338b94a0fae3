package dev.heddle.internal.kernel;

import org.jspecify.annotations.Nullable;

/// The processors without a machine and the machines without a processor. Go: sched.pidle and sched.midle.
///
/// Last in, first out: the entry that was put last has the warmest caches. Not thread-safe: callers hold the scheduler
/// lock. Exceptions: any thread may read the numbers of idle and pending processors, and the number of idle machines as
/// a hint, which may be stale.
final class IdleLists {
    /*
     * idle        processors that no machine owns and that have no work. Their number is read without the lock at S4 of
     *             SpinCoordinator, so it is volatile, and it is raised only after the processor is in the list.
     * pending     processors that have work or a token, but no machine: the starter makes one. The sleeper reads their
     *             number without the lock, before it waits.
     * machines    parked machines. Doubly linked: one that retires leaves from the middle.
     * A processor is in at most one list, and Processor.status says in which.
     */

    private @Nullable Processor idle;
    private volatile int idleProcessors; // written under the lock
    private @Nullable Processor pending;
    private volatile int pendingProcessors; // written under the lock
    private @Nullable Machine machines;
    private int idleMachines;

    /// Any thread.
    int idleProcessors() {
        return idleProcessors;
    }

    /// Any thread.
    int pendingProcessors() {
        return pendingProcessors;
    }

    int idleMachines() {
        return idleMachines;
    }

    // ---- processors

    /// Adds a processor that no machine owns any more.
    /// Go: pidleput.
    void put(Processor processor) {
        processor.status = Processor.Status.IDLE;
        processor.link = idle;
        idle = processor;
        int count = idleProcessors;
        idleProcessors = count + 1;
    }

    /// Takes an idle processor: `preferred` if it is idle, else any; null if there is none. The caller then
    /// owns it.
    /// Go: pidleget.
    @Nullable
    Processor take(@Nullable Processor preferred) {
        Processor before = null;
        Processor processor = idle;
        if (preferred != null && preferred.status == Processor.Status.IDLE) {
            while (processor != preferred && processor != null) {
                before = processor;
                processor = processor.link;
            }
        }
        if (processor != null) {
            if (before == null) {
                idle = processor.link;
            } else {
                before.link = processor.link;
            }
            processor.link = null;
            processor.status = Processor.Status.RUNNING;
            int count = idleProcessors;
            idleProcessors = count - 1;
        }
        return processor;
    }

    /// The processor waits until a machine is made for it, or until an existing machine takes it.
    void putPending(Processor processor, boolean withToken) {
        processor.status = Processor.Status.PENDING;
        processor.pendingSpinning = withToken;
        processor.link = pending;
        pending = processor;
        int count = pendingProcessors;
        pendingProcessors = count + 1;
    }

    @Nullable
    Processor takePending() {
        Processor processor = pending;
        if (processor != null) {
            pending = processor.link;
            processor.link = null;
            processor.status = Processor.Status.RUNNING;
            int count = pendingProcessors;
            pendingProcessors = count - 1;
        }
        return processor;
    }

    // ---- machines

    /// Go: mput.
    void put(Machine machine) {
        machine.isIdle = true;
        machine.idlePrev = null;
        machine.idleNext = machines;
        if (machines != null) {
            machines.idlePrev = machine;
        }
        machines = machine;
        idleMachines++;
    }

    /// Go: mget.
    @Nullable
    Machine takeMachine() {
        Machine machine = machines;
        if (machine != null) {
            remove(machine);
        }
        return machine;
    }

    void remove(Machine machine) {
        Machine before = machine.idlePrev;
        Machine after = machine.idleNext;
        if (before == null) {
            machines = after;
        } else {
            before.idleNext = after;
        }
        if (after != null) {
            after.idlePrev = before;
        }
        machine.idlePrev = null;
        machine.idleNext = null;
        machine.isIdle = false;
        idleMachines--;
    }
}
