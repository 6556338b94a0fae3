package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.trace.EventKind;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Decides which machine is woken when work appears, and when a machine without work may sleep. No work is forgotten,
/// and not every submission pays for a wake-up.
final class SpinCoordinator {
    /*
     * Shape.      spinning = machines that hold a P and search for work, including napping ones. While there is one,
     *             no other machine is woken: the spinner will find the work and wake its successor (Go: resetspinning).
     *
     *             Submitter, holds a P                      Machine that runs dry, holds a P
     *             S1 publish: ring tail, runNext,           R1 four rounds of stealing; perhaps a nap, see below
     *                global queue, timer minimum            R2 under the lock: global queue, needSpinning; P to the
     *             S2 full fence                                idle list (idleProcessors + 1)
     *             S3 spinning > 0: a machine scans. Done.   R3 if it was spinning: spinning - 1 (full fence)
     *             S4 idleProcessors == 0: none can start;   R4 if it was spinning: scan once more the global queue, all
     *                needSpinning = 1, check again             local queues, all timers. Always: check needSpinning
     *             S5 CAS spinning 0 -> 1, take an idle P,   R5 work or need found, and an idle P: spinning + 1, back to
     *                start a machine with it                   R1. Found, but no idle P: needSpinning = 1, and try
     *                                                          once more. Otherwise sleep.
     *                                                       R6 woken for a timer or a socket, and an idle P exists:
     *                                                          spinning + 1, however many spin, back to R1
     *
     * Proof.      Suppose work was published (S1) and all machines sleep. Consider the last machine that did R3.
     *             If the submitter's S3 read spinning > 0, then S2 came before that machine's R3 in the order of full
     *             fences, so R4 saw the work: contradiction. If S3 read 0, the submitter continued. Either it took an
     *             idle P (S5): contradiction. Or it saw no idle P (S4), so every P was owned. An owner that runs dry
     *             later comes to R2 after S4's store and finds needSpinning. R4 repeats that check for a machine whose
     *             R2 came before the store: idleProcessors + 1 and the store of needSpinning cannot both miss each
     *             other.
     *
     * Naps.       A spinner that found nothing while other machines are busy takes a nap, still counted as spinning
     *             (Word.NAP: its P can be taken). The first nap of a search is short and not interruptible by a
     *             wake-up. Go's spinners sleep in the same way, in runqgrab's usleep(3), which takes 60 to 90 us.
     *             Otherwise a thread that submits many small jobs would pay for a system call with each.
     *             The later naps are longer, and announced. A submission that leaves an entry only in runNext does not
     *             end them: a pair of threads that passes the slice back and forth on one P must not cost system calls.
     *             Any other submission ends them (S3). The napper scans once more after the announcement. That scan
     *             sees an entry published before the announcement; a submitter that publishes one later sees the
     *             announcement. The first nap needs no such scan: it ends by itself, and R1 follows.
     *
     * Who writes. spinning: raised by machines with a P, by CAS or add; lowered by the holder of the token, and by
     *             World and TokenAudit for tokens that no machine holds. needSpinning: set by submitters, at R5, and by
     *             threads that drop a token; cleared by the machine that starts spinning (takeToken), which scans
     *             afterwards, and by the submitter that gives its token to a machine (startSpinner), which then scans.
     *             napper: set by the napper; cleared by the napper or by the thread that wakes it.
     *             Machine.spinning, napsSince: only this class writes them, on the machine's own thread or, together
     *             with the grant of a P, under the scheduler lock while the machine is parked.
     * Sources.    Go 1.27 proc.go, "Worker thread parking/unparking"; docs/model/. Checked by SpinModelTest.
     */

    private static final VarHandle SPINNING = Handles.field(lookup(), "spinning", int.class);
    private static final VarHandle NAPPER = Handles.field(lookup(), "napper", Machine.class);

    // The naps of a spinner: the shortest, the longest, and how long one search may go on napping. A system call that
    // wakes a thread costs the waker about 13 us, and a park of 3 us takes 90; the rest is a guess.
    private static final long FIRST_NAP_NANOS = 50_000;
    private static final long LAST_NAP_NANOS = 400_000;
    private static final long ALL_NAPS_NANOS = 10_000_000;

    private final Kernel kernel;

    @SuppressWarnings("unused") // padding: the words below are written by all machines
    private long p0, p1, p2, p3, p4, p5, p6, p7;

    private volatile int spinning; // written through SPINNING
    private volatile int needSpinning;
    private volatile @Nullable Machine napper; // written through NAPPER

    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;

    SpinCoordinator(Kernel kernel) {
        this.kernel = kernel;
    }

    int spinning() {
        return spinning;
    }

    int needSpinning() {
        return needSpinning;
    }

    // ---- the submitter: S2 to S5

    /// Steps S2 to S5. `onlyRunNext`: the submission left nothing but a runNext entry. Only a machine with a P
    /// may call this: any other thread could be descheduled while it holds the token.
    /// Go: wakep.
    void wakeProcessor(Machine self, boolean onlyRunNext) {
        VarHandle.fullFence(); // S2: without it, S1 may still be in the store buffer when S3 reads
        Chaos.point();
        if (spinning > 0) {
            if (!onlyRunNext) {
                wakeNapper();
            }
            return;
        }
        if (kernel.idle.idleProcessors() == 0) {
            requestSpinner();
            if (kernel.idle.idleProcessors() == 0) {
                return;
            }
        }
        if (takeFirstToken()) {
            Chaos.point();
            startSpinner(self);
        }
    }

    /// S5, with the token taken: finds a processor and a machine for the token, or gives it back.
    void startSpinner(Machine self) {
        Machine machine;
        kernel.lock.lock();
        try {
            Processor processor = kernel.machines.takeIdleLocked();
            if (processor == null) {
                // Both steps come before unlocking, so that a machine that releases a processor later sees the need.
                // The token goes back first. Otherwise a machine could answer the need while our token is still
                // counted as spinning, find work, rely on our token instead of waking a successor, and stop searching
                // (docs/model/wake.pml, NEED_BEFORE_TOKEN).
                returnToken();
                requestSpinner();
                return;
            }
            needSpinning = 0; // a machine now has the token that answers it
            self.owned().wakes++;
            machine = kernel.machines.assignLocked(processor, /* withToken= */ true);
        } finally {
            kernel.lock.held = 0;
        }
        kernel.machines.launch(machine);
    }

    /// Work may be waiting that no machine will search for: the next machine that would go idle searches (S4).
    void requestSpinner() {
        if (needSpinning == 0) {
            needSpinning = 1;
        }
    }

    // ---- tokens

    /// Takes a token for a machine that is to be woken; false if a machine spins already.
    boolean takeFirstToken() {
        return SPINNING.compareAndSet(this, 0, 1);
    }

    /// Whether the machine may search the other processors: it holds a token, or fewer than half of the busy
    /// processors' machines spin. More spinners would find no more work and use CPU time.
    boolean maySearch(Machine machine) {
        return machine.spinning || 2 * spinning < kernel.procs() - kernel.idle.idleProcessors();
    }

    /// Takes a token, unless the machine has one. With a processor.
    /// Go: becomeSpinning.
    void becomeSpinning(Machine machine) {
        if (!machine.spinning) {
            machine.owned().spins++;
            takeToken(machine);
        }
    }

    void takeToken(Machine machine) {
        machine.note(EventKind.SPIN_BEGIN);
        machine.spinning = true; // first: see TokenAudit
        SPINNING.getAndAdd(this, 1);
        needSpinning = 0;
        machine.napsSince = 0;
    }

    /// The machine is about to get a processor, and with it the token that was taken for it, if `withToken`. On
    /// that machine, or under the scheduler lock while it is parked.
    void bequeathToken(Machine machine, boolean withToken) {
        machine.spinning = withToken;
        machine.napsSince = 0;
    }

    /// Gives the token back (R3). The caller has work, or scans everything once more.
    void stopSpinning(Machine machine) {
        machine.note(EventKind.SPIN_END);
        returnToken();
        machine.spinning = false; // afterwards: see TokenAudit
    }

    /// Gives the token back, if the machine has one, without a scan. Submitters relied on it, so another
    /// machine has to search.
    void dropToken(Machine machine) {
        if (machine.spinning) {
            stopSpinning(machine);
            requestSpinner();
        }
    }

    /// Gives back a token that no machine holds.
    void returnToken() {
        int before = (int) SPINNING.getAndAdd(this, -1);
        if (before <= 0) {
            throw new SchedulerBug("negative number of spinning machines");
        }
    }

    // ---- the machine that runs dry: R1, naps

    /// Sleeps briefly, still counted as spinning. True if the machine napped: it has to search again.
    boolean nap(Machine machine, Processor processor, Thief thief) {
        long now = Jdk.nanoTime();
        boolean first = machine.napsSince == 0;
        if (first) {
            machine.napsSince = now;
        }
        long napping = now - machine.napsSince;
        if (napping > ALL_NAPS_NANOS
                || !kernel.limits.mayNap()
                || !(thief.mayWorkAppear(processor) || (first && thief.areOthersBusy(processor)))) {
            return false;
        }
        if (first) {
            processor.naps++;
            machine.note(EventKind.NAP_BEGIN);
            machine.enterNap();
            Jdk.parkSelf(FIRST_NAP_NANOS);
            machine.note(EventKind.NAP_END);
            machine.exitNap();
            return true;
        }
        if (!announceNap(machine)) {
            return false;
        }
        processor.naps++;
        machine.note(EventKind.NAP_BEGIN);
        machine.enterNap();
        if (!hasVisibleWork()) {
            Jdk.parkSelf(Math.clamp(napping, FIRST_NAP_NANOS, LAST_NAP_NANOS));
        }
        machine.note(EventKind.NAP_END);
        withdrawNap(machine);
        machine.exitNap();
        return true;
    }

    /// Announces the machine's nap; false if another machine has announced one. One napper is enough.
    boolean announceNap(Machine machine) {
        return napper == null && NAPPER.compareAndSet(this, (Machine) null, machine);
    }

    void withdrawNap(Machine machine) {
        NAPPER.compareAndSet(this, machine, (Machine) null);
    }

    /// Wakes the machine that naps, if one does. Any thread, no lock held.
    void wakeNapper() {
        Machine sleeper = napper;
        if (sleeper != null && NAPPER.compareAndSet(this, sleeper, (Machine) null)) {
            Jdk.unparkCarrier(sleeper);
        }
    }

    // ---- the machine that runs dry: R2 to R6

    /// Gives the processor up and sleeps, unless work is found on the way. Returns with a processor if there is
    /// something to search for, and without one if the machine retires.
    /// Go: the end of findRunnable, with checkRunqsNoP, checkTimersNoP and pidlegetSpinning.
    void goIdle(Machine machine, Processor processor) {
        processor.clearDead();
        boolean lookAgain;
        boolean needed;
        kernel.lock.lock();
        try { // R2
            needed = !machine.spinning && needSpinning != 0;
            lookAgain = needed || kernel.isStopping() || !kernel.globalQueue.isEmpty();
            if (!lookAgain) {
                machine.releaseLocked();
                kernel.idle.put(processor);
            }
        } finally {
            kernel.lock.held = 0;
        }
        if (needed) {
            becomeSpinning(machine);
        }
        if (lookAgain) {
            return;
        }
        Chaos.point();
        boolean wasSpinning = machine.spinning;
        if (wasSpinning) {
            stopSpinning(machine); // R3
        }
        Chaos.point();
        if (((wasSpinning && hasAnyWork()) || needSpinning != 0) && resumeSearch(machine, processor)) { // R4
            return;
        }
        if (kernel.machines.acquirePending(machine)) {
            return;
        }
        if (kernel.sleeper.sleep(machine)) {
            boolean withProcessor = kernel.machines.acquireIdle(machine, machine.oldP);
            kernel.sockets.pollAfterSleep(); // without a processor: for the machines that have one
            if (withProcessor) {
                // R6. The machine may have slept for a timer of another processor, which only a spinning machine fires.
                // If the operating system has suspended the other spinners, this machine would otherwise find nothing,
                // see the same timer again, and loop until they resume.
                becomeSpinning(machine);
                return;
            }
        }
        kernel.machines.stop(machine);
    }

    /// R5: work or a need was found. True if the machine has a processor again, and spins.
    private boolean resumeSearch(Machine machine, Processor processor) {
        boolean acquired = kernel.machines.acquireIdle(machine, processor);
        if (!acquired) {
            requestSpinner(); // the new owner may not search: it must before it goes idle
            acquired = kernel.machines.acquireIdle(machine, processor);
        }
        if (acquired) {
            becomeSpinning(machine);
        }
        return acquired;
    }

    // ---- scans without a processor: R4, and for the system monitor

    /// Whether a napper must wake up: there is work in a queue other than a runNext, or the world stops.
    private boolean hasVisibleWork() {
        if (!kernel.globalQueue.isEmpty() || kernel.isStopping()) {
            return true;
        }
        for (Processor processor : kernel.processors().all()) {
            if (processor.visibleWork() > 0) {
                return true;
            }
        }
        return false;
    }

    /// Whether there is work in any queue.
    boolean hasQueuedWork() {
        if (!kernel.globalQueue.isEmpty()) {
            return true;
        }
        for (Processor processor : kernel.processors().all()) {
            if (processor.hasWork()) {
                return true;
            }
        }
        return false;
    }

    /// Whether there is work anywhere, including timers that are due.
    boolean hasAnyWork() {
        return hasQueuedWork() || kernel.timers.isAnyDue();
    }
}
