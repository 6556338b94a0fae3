package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.trace.EventKind;
import org.jspecify.annotations.Nullable;

/// The thread that is locked to one machine, which then runs nothing else.
/// Go: lockOSThread, stoplockedm, startlockedm.
final class LockedThread {
    /*
     * Mailbox.    While its thread is not runnable, the machine gives its processor away and parks. Another machine
     *             finds the thread's resume task in a queue and looks its machine up (LockedThreads). It puts the task
     *             into the mailbox and, if the machine is parked, gives it its own processor. A machine that is not
     *             parked yet checks its mailbox before it parks. Both sides hold the scheduler lock.
     */

    private final Machine machine;
    private final Kernel kernel;

    /// Own thread only; others read it racily, for statistics.
    private @Nullable Thread thread;

    private int count;

    /// The resume task of the locked thread, found by another machine. Under the scheduler lock.
    private @Nullable Runnable mailbox;

    /// Parked until another machine brings the resume task and a processor. Under the scheduler lock.
    private boolean isParked;

    LockedThread(Machine machine, Kernel kernel) {
        this.machine = machine;
        this.kernel = kernel;
    }

    /// The thread that is locked to this machine, as far as another thread can see.
    @Nullable
    Thread thread() {
        return thread;
    }

    /// Whether the machine is parked until its thread is runnable, as far as another thread can see.
    boolean isWaiting() {
        return isParked;
    }

    /// From now on `caller`, the current thread, runs on this machine only, and this machine runs nothing else.
    /// Nests. In the kernel.
    void lock(Thread caller) {
        if (count == 0) {
            machine.note(EventKind.THREAD_LOCK, caller.threadId(), 0);
            kernel.locked.add(caller, machine); // first: it may throw OutOfMemoryError
            thread = caller;
        }
        count++;
    }

    /// Undoes one [#lock]. Does nothing if there is none left to undo, as in Go. In the kernel.
    void unlock(Thread caller) {
        if (thread == caller) {
            if (count == 1) {
                unlockFully();
            } else {
                count--;
            }
        }
    }

    /// Undoes all [#lock]s.
    void unlockFully() {
        Thread owner = thread;
        if (owner != null) {
            machine.note(EventKind.THREAD_UNLOCK, owner.threadId(), 0);
            kernel.locked.remove(owner);
        }
        count = 0;
        thread = null;
    }

    /// Returns the locked thread's resume task once it is runnable; this machine then has a processor. Gives the
    /// processor up while it waits. Null: call again. Own thread only.
    /// Go: stoplockedm.
    @Nullable
    Runnable await() {
        kernel.spin.dropToken(machine);
        Runnable mail = takeMail();
        if (mail != null) {
            if (machine.p != null || kernel.machines.acquireIdle(machine, machine.oldP)) {
                return mail;
            }
            kernel.submitter.injectPatiently(mail); // the machine that finds it brings a processor
        }
        Processor given;
        kernel.lock.lock();
        try {
            if (mailbox != null) {
                return null;
            }
            given = machine.p == null ? null : machine.releaseLocked();
            machine.note(EventKind.M_PARK);
            machine.expectGrantLocked();
            isParked = true;
            kernel.locked.countIdleLocked(1);
        } finally {
            kernel.lock.held = 0;
        }
        if (given != null) {
            kernel.machines.handOff(given);
        }
        while (!machine.receiveGrant()) {
            Jdk.parkSelf(0);
        }
        machine.note(EventKind.M_UNPARK);
        return null;
    }

    private @Nullable Runnable takeMail() {
        kernel.lock.lock();
        try {
            Runnable mail = mailbox;
            mailbox = null;
            return mail;
        } finally {
            kernel.lock.held = 0;
        }
    }

    /// Another machine, `finder`, found the resume task of the locked thread. Gives it to this machine and, if this
    /// machine is parked, also the finder's processor. In the kernel of the finder.
    /// Go: startlockedm.
    void deliver(Runnable resumeTask, Machine finder) {
        boolean wasParked;
        finder.note(EventKind.LOCKED_DELIVER, Jdk.threadOf(resumeTask).threadId(), machine.id);
        kernel.lock.lock();
        try {
            mailbox = resumeTask;
            wasParked = isParked;
            if (wasParked) {
                isParked = false;
                kernel.locked.countIdleLocked(-1);
                machine.grantLocked(finder.releaseLocked(), /* withToken= */ false);
            }
        } finally {
            kernel.lock.held = 0;
        }
        if (wasParked) {
            Jdk.unparkCarrier(machine);
        }
    }
}
