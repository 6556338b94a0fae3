package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.trace.EventKind;
import org.jspecify.annotations.Nullable;

/// Brings processors and machines together: finds a machine for a processor that has work, and lets a machine without
/// a processor wait for one.
/// Go: startm, stopm, handoffp, acquirep.
final class Machines {
    /*
     * Life of an M.  The starter makes it. Its first action is to take a processor that waits for a machine (pending).
     *             From then on it is in one of these places:
     *               with a P       it runs goroutines or searches for work (Machine, FindRunnable)
     *               P lost         the monitor took the P while a thread computed or blocked; afterwards the machine
     *                              takes a pending P, an idle P, or parks (acquireAfterLoss)
     *               sleeper        without P, until the next timer or socket (Sleeper)
     *               parked         without P, in the idle list, until a P is granted (stop)
     *             A machine that has been parked for idleNanos ends, unless it is the last idle one.
     *
     * A P that needs an M.  assignLocked grants it to a parked machine: a store to that machine's word, and after the
     *             lock is released an unpark (launch). If no machine is parked, the P goes on the pending list and the
     *             starter makes a machine. Any machine that is about to park takes a pending P first, so a P does not
     *             wait for a new thread while an old one has nothing to do.
     *             At the limit of threads no machine can be made. Then the sleeper is woken: it is the one machine that
     *             has nothing to do and is not parked.
     *
     * Rules.      A method with the suffix Locked runs under the scheduler lock and keeps it. No method locks or
     *             unlocks for its caller. Nothing is woken under the lock: assignLocked returns the machine, and
     *             launch wakes it.
     *             A granted P may be taken again before the machine has woken up (the world stops, the monitor). The
     *             machine then searches for another one, because submitters rely on it.
     * Rejected.   Go's startm makes the thread itself. Here that would run user code on the caller's stack (childValue
     *             of inheritable thread-locals), under a virtual thread that must not unmount.
     * Checked by  WakeProtocolTest, LimitsTest, MachineDeathTest.
     */

    private final Kernel kernel;
    private final SchedulerLock lock;
    private final IdleLists idle;

    Machines(Kernel kernel) {
        this.kernel = kernel;
        this.lock = kernel.lock;
        this.idle = kernel.idle;
    }

    // ---- a machine for a processor

    /// Gives the processor to a parked machine, or queues it for a machine to be made. The caller passes the result
    /// to [#launch] after unlocking. `withToken`: the machine inherits a spinning token from the caller.
    /// Go: startm.
    @Nullable
    Machine assignLocked(Processor processor, boolean withToken) {
        processor.status = Processor.Status.RUNNING;
        Machine machine = idle.takeMachine();
        if (machine == null) {
            idle.putPending(processor, withToken);
        } else {
            machine.grantLocked(processor, withToken);
        }
        return machine;
    }

    /// Wakes the machine to which a processor was assigned. Null: the processor waits for a machine that has yet to
    /// be made. No lock held.
    void launch(@Nullable Machine machine) {
        kernel.tracing.note(EventKind.M_WAKE, machine == null ? -1 : machine.id);
        if (machine == null) {
            if (kernel.machineCounts.isAtLimit()) {
                boolean _ = kernel.sleeper.wakeIfLaterThan(Long.MIN_VALUE); // the only machine that is available
            }
            kernel.starter.signal();
            kernel.spin.wakeNapper(); // a napping machine is faster than a new thread
        } else {
            Jdk.unparkCarrier(machine);
            kernel.machineCounts.replaceSpare();
        }
        kernel.monitor.wake();
    }

    /// Like [#launch(Machine)], if a processor was taken off the idle list. If none was, wakes the napper instead:
    /// only a napping machine, which has a processor already, could find the work. The volatile store that released
    /// the lock was the full fence that must come before this.
    void launch(@Nullable Processor processor, @Nullable Machine machine) {
        if (processor == null) {
            kernel.spin.wakeNapper();
        } else {
            launch(machine);
        }
    }

    /// Takes a processor off the idle list; null if there is none, or if the world stops.
    @Nullable
    Processor takeIdleLocked() {
        return kernel.isStopping() ? null : idle.take(null);
    }

    /// Starts a machine for an idle processor, if there is one.
    void startIdle() {
        Processor processor;
        Machine machine;
        lock.lock();
        try {
            processor = takeIdleLocked();
            machine = processor == null ? null : assignLocked(processor, /* withToken= */ false);
        } finally {
            lock.held = 0;
        }
        launch(processor, machine);
    }

    /// The safety net found work that waits although a processor is idle. Checks again under the lock before it
    /// counts the event and starts the processor.
    void startForgottenWork() {
        Processor processor;
        Machine machine;
        lock.lock();
        try {
            if (idle.idleProcessors() == 0 || kernel.spin.spinning() != 0 || !kernel.spin.hasQueuedWork()) {
                return;
            }
            kernel.counters.safetyNet.incrementAndGet();
            processor = takeIdleLocked();
            machine = processor == null ? null : assignLocked(processor, /* withToken= */ false);
        } finally {
            lock.held = 0;
        }
        launch(processor, machine);
    }

    /// Finds a machine for a processor that has no owner.
    void start(Processor processor) {
        Machine machine;
        lock.lock();
        try {
            machine = assignLocked(processor, /* withToken= */ false);
        } finally {
            lock.held = 0;
        }
        launch(machine);
    }

    /// Finds another machine for a processor that was taken from its machine, if there may be work; else makes the
    /// processor idle. The caller owns the processor.
    /// Go: handoffp.
    void handOff(Processor processor) {
        boolean goesOn;
        Machine machine = null;
        lock.lock();
        try {
            if (kernel.isStopping()) {
                processor.status = Processor.Status.STOPPED;
                return;
            }
            boolean lastOne = kernel.spin.spinning() == 0 && idle.idleProcessors() == 0;
            goesOn = lastOne || processor.hasWork() || processor.hasStalled() || !kernel.globalQueue.isEmpty();
            if (goesOn) {
                machine = assignLocked(processor, /* withToken= */ false);
            } else {
                processor.clearDead();
                idle.put(processor);
            }
        } finally {
            lock.held = 0;
        }
        if (goesOn) {
            launch(machine);
            return;
        }
        long next = processor.timers.nextWhen();
        boolean timerAlone = next != Long.MAX_VALUE && !kernel.sleeper.wakeIfLaterThan(next);
        if (timerAlone
                || kernel.sleeper.isWantedForSockets() // while a processor is idle, some machine must wait for sockets
                || kernel.spin.needSpinning() != 0) { // SpinCoordinator, R4: announced while this one was not idle
            startIdle();
        }
    }

    /// The machine hands off the processor that it owns. In the kernel.
    void releaseAndHandOff(Machine machine) {
        Processor processor;
        lock.lock();
        try {
            processor = machine.releaseLocked();
        } finally {
            lock.held = 0;
        }
        handOff(processor);
    }

    // ---- a processor for a machine: called by that machine, in the kernel, without a processor

    /// Takes an idle processor: `preferred` if it is idle, else any; null if there is none or the world stops. The
    /// caller then owns it.
    @Nullable
    Processor takeIdle(@Nullable Processor preferred) {
        lock.lock();
        try {
            return kernel.isStopping() ? null : idle.take(preferred);
        } finally {
            lock.held = 0;
        }
    }

    /// Makes the machine the owner of an idle processor, `preferred` if it is idle. False if there is none.
    /// Go: pidleget, acquirep.
    boolean acquireIdle(Machine machine, @Nullable Processor preferred) {
        Processor processor = takeIdle(preferred);
        if (processor == null) {
            return false;
        }
        machine.acquire(processor);
        kernel.monitor.wake();
        return true;
    }

    /// Makes the machine the owner of a processor that waits for a machine. False if there is none.
    boolean acquirePending(Machine machine) {
        lock.lock();
        try {
            return acquirePendingLocked(machine);
        } finally {
            lock.held = 0;
        }
    }

    private boolean acquirePendingLocked(Machine machine) {
        Processor pending = idle.takePending();
        if (pending == null) {
            return false;
        }
        kernel.spin.bequeathToken(machine, pending.pendingSpinning);
        noteToken(machine);
        machine.acquire(pending);
        return true;
    }

    private static void noteToken(Machine machine) {
        if (machine.spinning) {
            machine.note(EventKind.SPIN_BEGIN); // the token was taken for it
        }
    }

    /// Gets a processor after the old one was taken in user code: a pending one, the old one if it is idle, another
    /// one, or the next that is granted while the machine is parked. False: the machine retires.
    ///
    /// The machine must not simply park. Its thread may have registered something, such as a timer, while it had no
    /// processor, and no machine may be waiting for that. With a processor it goes through the whole search and
    /// through [SpinCoordinator#goIdle].
    boolean acquireAfterLoss(Machine machine) {
        kernel.spin.dropToken(machine);
        machine.rescue.drain();
        if (!acquirePending(machine) && !acquireIdle(machine, machine.oldP)) {
            stop(machine);
        }
        return machine.p != null;
    }

    /// Parks in the idle list until a processor is granted. Returns without one when the machine retires.
    /// Go: stopm.
    void stop(Machine machine) {
        while (true) {
            lock.lock();
            try {
                if (acquirePendingLocked(machine)) {
                    return;
                }
                machine.note(EventKind.M_PARK);
                machine.expectGrantLocked();
                idle.put(machine);
            } finally {
                lock.held = 0;
            }
            if (!parkUntilGranted(machine) || machine.p != null) {
                return;
            }
            kernel.spin.dropToken(machine); // granted and taken before it woke: submitters relied on this token
            if (acquireIdle(machine, machine.oldP)) {
                return;
            }
        }
    }

    /// True if a processor was granted (and perhaps taken again). False if the machine has retired.
    private boolean parkUntilGranted(Machine machine) {
        long deadline = Jdk.nanoTime() + kernel.idleMachineNanos();
        while (!machine.receiveGrant()) {
            long left = deadline - Jdk.nanoTime();
            if (left > 0 && !kernel.isEnded()) {
                Jdk.parkSelf(left);
            } else if (retire(machine)) {
                machine.endSoon(); // otherwise the loop would take an idle processor and continue
                return false;
            } else {
                deadline = Jdk.nanoTime() + kernel.idleMachineNanos();
            }
        }
        machine.note(EventKind.M_UNPARK);
        noteToken(machine);
        return true;
    }

    /// A machine that was idle for long wants to end. It may, unless it was just given a processor or is the last
    /// idle machine of a kernel that has not ended.
    private boolean retire(Machine machine) {
        lock.lock();
        try {
            boolean may = machine.isIdle && (idle.idleMachines() > 1 || kernel.isEnded());
            if (may) {
                idle.remove(machine);
            }
            return may;
        } finally {
            lock.held = 0;
        }
    }

    // ---- the end of machines

    /// The loop of a machine failed, which is a bug in Heddle. Gives away what the machine held (its role, token,
    /// processor and entries), then reports the bug. On that machine.
    void died(Machine machine, Throwable bug, @Nullable Runnable inHand) {
        kernel.sleeper.resign(machine);
        kernel.spin.dropToken(machine);
        kernel.spin.withdrawNap(machine);
        if (machine.p != null) {
            releaseAndHandOff(machine);
        }
        machine.rescue.drain();
        machine.search.giveBack();
        if (inHand != null) { // if it has begun to run, queueing it once more does no harm
            kernel.submitter.injectPatiently(inHand);
        }
        try { // last: the report may fail with OutOfMemoryError
            kernel.failures.reportBug("machine " + machine + " failed", bug);
        } catch (OutOfMemoryError | StackOverflowError _) {
            // the processor goes on without a report
        }
    }

    /// The kernel has ended: wakes all machines, and the parked ones retire, the sleeper included. (Only the
    /// sleeper of the JVM's default scheduler waits in epoll, and that kernel never ends.) A machine that is
    /// not in the list yet sees the end before it parks. System monitor only.
    void endAll() {
        for (Machine machine = kernel.allMachines.update(); machine != null; machine = machine.listNext) {
            Jdk.unparkCarrier(machine); // does no harm to a machine that is not parked
        }
    }
}
