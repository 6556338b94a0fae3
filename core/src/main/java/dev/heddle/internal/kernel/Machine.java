package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.ThreadState;
import dev.heddle.internal.queue.TimerEntry;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A machine: the carrier thread that runs goroutines while it owns a processor, and the loop that finds them.
///
/// Go: m, with schedule, findRunnable and execute.
public final class Machine extends ProcessorOwner implements KernelThread {

    /// 61: a prime, as in Go; every 61st tick looks at the global queue first.
    private static final int GLOBAL_CHECK_TICKS = 61;

    private static final int TIMERS_PER_CHECK = 64;

    // A spinner that sleeps for a moment: doubling naps, and how long all of them may last (N13).
    private static final long FIRST_NAP_NANOS = 50_000;
    private static final long LAST_NAP_NANOS = 400_000;
    private static final long ALL_NAPS_NANOS = 10_000_000;

    /// A pinned thread tries to yield only so often: each attempt costs half a microsecond and does nothing.
    private static final long CLOSED_POINTS_NANOS = 10_000_000;

    private static final long RETRY_NANOS = 1_000_000;

    private static final VarHandle RESCUED = Handles.field(lookup(), "rescued", Object[].class);

    final Kernel kernel;
    final int id;
    private final Thief thief;

    /// What the operating system says of this thread: for the system monitor.
    final ThreadProbe probe = new ThreadProbe(this);

    /// This machine holds a token of [SpinCoordinator]. Own thread, or its granter before the grant.
    boolean spinning;

    /// Links of the idle list, and whether this machine is in it. Under the scheduler lock.
    @Nullable
    Machine idlePrev;

    @Nullable
    Machine idleNext;

    boolean isIdle;

    /// The resume task that runs now. Own thread only, but for [#isMounted].
    private @Nullable Runnable current;

    /// The entry found by findRunnable came from runNext and inherits the time slice.
    private boolean inheritTime;

    /// The start of a shell by this machine comes back through `ready`: its resume task is kept here, not
    /// queued.
    private boolean startingShell;

    private @Nullable Runnable startedShell;

    /// Resume tasks run by this machine. A shell that sees it changed has been unmounted.
    private long mounts;

    /// A declared blocking operation is under way on this machine. Own thread only.
    private boolean blocking;

    /// The thread here has given its processor away, about to block: it does not want one back before it has.
    /// Own thread only.
    boolean givenAway;

    /// The thread that is locked to this machine, which runs nothing else. Own thread only; see
    /// [LockedThreads].
    private @Nullable Thread lockedThread;

    private int lockCount;

    /// The resume task of the locked thread, found by another machine. Under the scheduler lock.
    @Nullable
    Runnable mailbox;

    /// Parked until somebody brings the locked thread's resume task and a processor. Under the scheduler lock.
    boolean isLockedIdle;

    /// Link of [MachineList], and what the system monitor has seen of this machine. System monitor only, once
    /// added.
    @Nullable
    Machine listNext;

    final MachineSample sample = new MachineSample();

    /// This thread has left its loop for good. Own thread only; read by the system monitor.
    volatile boolean hasEnded;

    /// Computes without a processor. System monitor only; read by others for figures and preemption points.
    volatile boolean isFreeHog;

    /// The thread has been given a lower priority for that. Cleared by the system monitor, set by the
    /// [Demoter].
    volatile boolean isDemoted;

    /// The thread has a longer slice than others because it computed without a processor. Set by the system
    /// monitor,
    /// cleared by this machine when the turn is over.
    volatile @Nullable Demoter sliceLengthenedBy;

    /// The code that its thread runs has no preemption points: there is no use in waiting for one. Cleared by
    /// the system monitor when it asks, set by who looked.
    volatile boolean hasNoPoints;

    /// No preemption point tries to yield for a while: the thread was pinned. Own thread only.
    private boolean arePointsClosed;

    private long pointsClosedAt;

    /// Ends at the next scheduling point: its thread has been demoted, a goroutine ended that was locked to it,
    /// or it idled for long. Not while a thread is locked to it.
    private volatile boolean mustEnd;

    /// The processor to whose CPU this thread was last moved.
    private @Nullable Processor placedFor;

    private final @Nullable TimerEntry[] due = new TimerEntry[TIMERS_PER_CHECK];

    /// When the first nap of this search began; 0 before it. Own thread, or its granter before the grant.
    private long napsSince;

    /// Entries that could not be queued because the stack ended (N6): cells of an entry and the next cell.
    /// Added by stores of this thread, see [EntryPoints].
    volatile Object @Nullable [] rescued;

    /// Pins of the thread that runs here which could not be undone because the stack ended. Own thread only.
    int pinsOwed;

    Machine(Kernel kernel, int id, String name) {
        super(kernel.pool(), name);
        this.kernel = kernel;
        this.id = id;
        this.thief = new Thief(this, kernel);
    }

    /// Whether a thread is mounted, as far as another thread can see.
    boolean isMounted() {
        return current != null;
    }

    /// The resume task of the thread that runs here, as far as another thread can see.
    @Nullable
    Runnable mounted() {
        return current;
    }

    /// The thread that is locked to this machine, as far as another thread can see.
    @Nullable
    Thread lockedThread() {
        return lockedThread;
    }

    long mounts() {
        return mounts;
    }

    /// Gives a processor, and perhaps a spinning token, to this parked machine. Holds the scheduler lock.
    void grant(Processor processor, boolean withToken) {
        spinning = withToken;
        napsSince = 0;
        grantWord(processor);
    }

    // ---- the loop

    /// Go: mstart, schedule.
    @Override
    public void run() {
        try {
            probe.begin();
            kernel.machineBegan(this);
            if (!takePending()) {
                stopMachine();
            }
            while (!mustEnd || lockedThread != null) {
                if (sliceLengthenedBy != null) {
                    restoreSlice();
                }
                Runnable entry;
                if (lockedThread != null) {
                    entry = awaitLockedThread();
                } else if (p != null || acquireProcessor()) {
                    entry = findRunnable();
                } else {
                    break;
                }
                if (entry != null) {
                    execute(entry);
                }
            }
            leave();
        } catch (Throwable bug) {
            kernel.machineDied(this, bug);
        } finally {
            hasEnded = true;
            kernel.machineEnded(this);
        }
    }

    private void restoreSlice() {
        Demoter demoter = sliceLengthenedBy;
        sliceLengthenedBy = null;
        if (demoter != null) {
            demoter.restoreSlice();
        }
    }

    /// Runs one entry. Go: execute.
    private void execute(Runnable entry) {
        Processor processor = owned();
        kernel.latency.runs(entry);
        Runnable task = entry;
        if (entry instanceof Goroutine goroutine) {
            Runnable shell = startShell(goroutine);
            if (shell == null) {
                goroutine.stalledNext = processor.stalled;
                processor.stalled = goroutine;
                return;
            }
            task = shell;
        } else if (kernel.locked.isAny() && kernel.locked.sendToOwner(this, entry)) {
            return; // it runs on its own machine, with our processor
        } else if (!isRunnable(Jdk.stateOf(entry))) {
            return; // queued twice (J2): it has run, or is suspended and will be queued again
        }
        if (!inheritTime) {
            processor.schedTick++;
        }
        processor.switches++;
        mounts++;
        current = task;
        Throwable failure = null;
        showQueuedWork(!maySpin(processor));
        pinsOwed = 0; // those of the thread before went with it
        exitKernel();
        try {
            task.run();
        } catch (Throwable e) {
            failure = e;
        }
        if (depth == 0) { // else it yielded, see readyHere
            enterKernel();
        }
        current = null;
        givenAway = false;
        if (Jdk.stateOf(task) == ThreadState.TERMINATED) {
            ended(Jdk.threadOf(task));
        } else if (failure != null) {
            repair(task, failure);
        }
    }

    private static boolean isRunnable(int state) {
        return state == ThreadState.UNPARKED
                || state == ThreadState.STARTED
                || state == ThreadState.YIELDED
                || state == ThreadState.UNBLOCKED;
    }

    /// A thread that we have just run is at its end, reached here or meanwhile on another machine.
    private void ended(Thread thread) {
        if (Jdk.claimEnd(thread)) {
            countEnd();
        }
        if (thread == lockedThread) {
            unlockThread();
            mustEnd = true; // Go: a goroutine that exits locked takes its thread with it
        }
    }

    /// The JDK failed between two states of a thread, for want of memory: makes it runnable again. A park that
    /// returns early is legal, a thread that never runs again is not (N18).
    private void repair(Runnable task, Throwable failure) {
        kernel.countRepair(failure);
        int state = Jdk.stateOf(task);
        int repaired = switch (state) {
            case ThreadState.PARKING, ThreadState.TIMED_PARKING -> ThreadState.UNPARKED;
            case ThreadState.WAITING, ThreadState.TIMED_WAITING -> ThreadState.UNBLOCKED;
            default -> state;
        };
        if (state != repaired && !Jdk.repairState(task, state, repaired)) {
            return; // somebody else moved it on
        }
        if (isRunnable(repaired)) {
            kernel.entries.injectPatiently(task);
        }
    }

    // ---- counting what starts and ends here

    boolean isStartingShell() {
        return startingShell;
    }

    void countStart() {
        owned().started++;
    }

    void countWake() {
        owned().wakes++;
    }

    void countEnd() {
        Processor processor = p;
        if (processor != null) {
            processor.ended++;
        } else {
            kernel.counters.strayEnds.incrementAndGet();
        }
    }

    // ---- shells

    /// Makes a shell for the goroutine and starts it: its resume task comes back through [#readyHere]. Null
    /// when memory is exhausted.
    private @Nullable Runnable startShell(Goroutine goroutine) {
        startingShell = true;
        Shell shell = null;
        try {
            shell = new Shell(kernel, goroutine);
            shell.mountedOn(this, mounts + 1);
            Thread thread = Jdk.newBareVirtualThread(kernel.pool(), shell);
            owned().shells.add(shell);
            shell.setThread(thread);
            kernel.goroutines.start(thread);
            Runnable started = startedShell;
            if (started == null) {
                throw new SchedulerBug("a shell was started but did not come back");
            }
            return started;
        } catch (OutOfMemoryError | StackOverflowError failure) {
            kernel.countRepair(failure);
            if (shell != null) {
                shell.setThread(null);
            }
            return null;
        } finally {
            startingShell = false;
            startedShell = null;
        }
    }

    /// One kernel step between two goroutines of a shell: the next one, if the next runnable thing is a fresh
    /// goroutine.
    @Nullable
    Goroutine nextForShell(Shell shell) {
        countEnd();
        Processor processor = p;
        if (processor != null && lockedThread == null && !shell.hasParked(this) && !kernel.isStopping() && !mustEnd) {
            Goroutine next = nextFresh(processor);
            if (next != null) {
                kernel.latency.runs(next);
                processor.switches++;
                return next;
            }
        }
        shell.setThread(null);
        Jdk.claimEnd(Thread.currentThread()); // its goroutines were counted: the thread itself is not
        return null;
    }

    /// The next entry in findRunnable's order, if it is a fresh goroutine and nothing else is due; it is taken
    /// only then (peek first: an entry that is taken and kept here would be invisible to thieves, N16).
    private @Nullable Goroutine nextFresh(Processor processor) {
        if (processor.isSliceOver() || kernel.isTimerDue(processor)) {
            return null;
        }
        if (processor.schedTick % GLOBAL_CHECK_TICKS == 0 && hasShared(processor)) {
            Goroutine fresh = isTurnOfGlobal(processor) ? kernel.shared.takeFresh() : null;
            if (fresh != null) {
                processor.countGlobalTurn();
                processor.schedTick++;
            }
            return fresh;
        }
        Runnable next = processor.runQueue.peekNext();
        if (next != null) {
            return next instanceof Goroutine fresh && processor.runQueue.takeNextIf(fresh) ? fresh : null;
        }
        Runnable head = processor.runQueue.peekHead();
        if (head == null && processor.yielded.isEmpty() && refill(processor)) {
            head = processor.runQueue.peekHead();
        }
        if (head instanceof Goroutine fresh && processor.runQueue.takeHeadIf(fresh)) {
            processor.schedTick++;
            return fresh;
        }
        return null;
    }

    // ---- making things runnable, on this machine, in the kernel, with a processor

    /// A thread became runnable here. Go: ready, goschedImpl.
    ///
    /// True after a yield of the thread that ran here, which leaves the kernel entered: the thread is not
    /// mounted any more, and the JDK is about to return to [#execute].
    boolean readyHere(Runnable resumeTask, int state) {
        if (startingShell) {
            startedShell = resumeTask;
            return false;
        }
        if (state == ThreadState.YIELDED && resumeTask == current) {
            yieldHere(resumeTask);
            return true;
        }
        putLocal(resumeTask);
        return false;
    }

    /// To the end of the global queue (F18), by way of the yielded ones of this processor. Nobody is woken,
    /// unlike in Go: this machine itself takes the next entry at once, so that there is no more for others to
    /// do than before.
    void yieldHere(Runnable resumeTask) {
        Processor processor = owned();
        if (processor.isSliceOver()) {
            endTimeSlice(processor); // first: whoever yields lets everybody else run, the heir of its slice included
        }
        kernel.latency.queues(processor, resumeTask);
        makeRoomForYielded(processor);
        processor.yielded.put(resumeTask, processor);
    }

    private void makeRoomForYielded(Processor processor) {
        if (processor.yielded.isFull()) {
            kernel.shared.takeOver(processor.yielded);
            wakeForMoved();
        }
        if (!processor.yielded.hasWaiting()) {
            kernel.rounds.join(processor);
            processor.globalTurns = 0;
        }
    }

    /// Whether others are runnable here, at a glance: then [#yieldsToNobody] need not be asked. On this
    /// carrier.
    boolean seesOthers() {
        Processor processor = p;
        return processor != null && processor.hasOwnWork();
    }

    /// Whether the thread that runs here would be the next one, were it to yield; it then has a slice of its
    /// own, and is spared the unmounting. In the kernel.
    boolean yieldsToNobody() {
        Processor processor = p;
        boolean alone = processor != null && isNobodyElse(processor);
        if (processor != null && alone) {
            processor.schedTick++;
        }
        return alone;
    }

    private boolean isNobodyElse(Processor processor) {
        return !processor.preempt
                && !mustEnd
                && rescued == null
                && !processor.hasOwnWork()
                && kernel.shared.isEmpty()
                && !kernel.isStopping()
                && !kernel.isTimerDue(processor)
                && kernel.rounds.mayGoOn(processor);
    }

    /// Puts an entry into runNext and wakes a machine if one should look. Go: runqput and wakep.
    void putLocal(Runnable entry) {
        Processor processor = owned();
        if (processor.preempt) {
            shareQueue(processor);
        }
        kernel.latency.queues(processor, entry);
        processor.runQueue.put(entry, /* next= */ !Chaos.coin(), processor);
        showQueuedWork(true);
        Chaos.point();
        kernel.spin.wakeProcessor(this, /* onlyRunNext= */ processor.visibleWork() == 0);
    }

    /// The slice of a thread is over that keeps on making others runnable, at a point where it cannot yield. So
    /// that these do not wait behind it they are given to everybody; the processor need not be taken then (N8).
    private void shareQueue(Processor processor) {
        if (kernel.procs() > 1) {
            processor.preempt = false;
            processor.sliceShared = true;
            processor.schedTick++;
            kernel.shared.takeOver(processor.yielded);
            kernel.shared.takeOver(processor.runQueue);
        }
    }

    /// Queues a fresh goroutine. If the stack ends meanwhile it is not started, and what it displaced is not
    /// lost.
    void startHere(Goroutine goroutine) {
        Processor processor = owned();
        boolean queued = false;
        processor.started++;
        try {
            if (processor.preempt) {
                shareQueue(processor);
            }
            kernel.latency.queues(processor, goroutine);
            processor.runQueue.put(goroutine, /* next= */ !Chaos.coin(), processor);
            queued = true;
            showQueuedWork(true);
            kernel.spin.wakeProcessor(this, /* onlyRunNext= */ processor.visibleWork() == 0);
        } catch (Throwable failure) {
            Runnable stranded = processor.runQueue.stranded;
            processor.runQueue.stranded = null;
            if (!queued && (stranded == null || stranded == goroutine)) {
                processor.started--;
            } else if (stranded != null) {
                rescued = new Object[] {stranded, rescued};
            }
            throw failure;
        }
    }

    /// The system monitor has queued all of these.
    void forgetRescued(Object[] cells) {
        boolean _ = RESCUED.compareAndSet(this, cells, (Object[]) null); // or there are more: then again
    }

    /// Whether [#settle] has anything to do. On this carrier.
    boolean isInDebt() {
        return rescued != null || pinsOwed != 0;
    }

    /// Makes good what an ended stack left undone: now there is stack enough.
    void settle() {
        while (pinsOwed > 0) {
            Jdk.unpin();
            pinsOwed--;
        }
        drainRescued();
    }

    private void drainRescued() {
        for (Object[] cell = rescued; cell != null; cell = rescued) {
            kernel.entries.injectPatiently((Runnable) cell[0]);
            rescued = (Object[]) cell[1];
            kernel.counters.rescues.incrementAndGet();
        }
    }

    // ---- findRunnable

    /// Finds something to run; null if the machine lost its processor or should look again. Go: findRunnable,
    /// in its order.
    private @Nullable Runnable findRunnable() {
        Processor processor = owned();
        if (kernel.isStopping()) {
            giveUpForStop();
            return null;
        }
        if (kernel.placement != null && placedFor != processor) {
            kernel.placement.moveTo(processor);
            placedFor = processor;
        }
        if (rescued != null) {
            drainRescued();
        }
        runDueTimers(processor);
        Runnable entry = localWork(processor);
        if (entry == null) {
            entry = lookElsewhere(processor);
        }
        if (entry != null && spinning) {
            // Go: resetspinning. The last spinner that found work wakes a successor.
            kernel.spin.stopSpinning(this);
            kernel.spin.wakeProcessor(this, /* onlyRunNext= */ false);
        }
        return entry;
    }

    /// Own queue, and the global queue where fairness asks for it.
    @Nullable
    Runnable localWork(Processor processor) {
        inheritTime = false;
        if (processor.isSliceOver()) {
            endTimeSlice(processor);
        }
        if (processor.schedTick % GLOBAL_CHECK_TICKS == 0) {
            Runnable entry = firstShared(processor);
            if (entry != null) {
                return entry;
            }
        }
        Runnable next = processor.runQueue.takeNext();
        if (next != null) {
            inheritTime = true;
            return next;
        }
        Runnable head = processor.runQueue.takeHead();
        return head != null ? head : sharedWork(processor);
    }

    /// A share of the global queue, and after it those who yielded here, as if they stood at its end (F18).
    private @Nullable Runnable sharedWork(Processor processor) {
        Runnable first = kernel.shared.takeBatch(processor, kernel.procs());
        if (first == null) {
            return yieldedWork(processor);
        }
        if (processor.runQueue.size() > 0) {
            kernel.spin.endNap();
        }
        return first;
    }

    /// One entry only, in the same order.
    private @Nullable Runnable firstShared(Processor processor) {
        Runnable first = takeGlobal(processor);
        return first != null ? first : yieldedWork(processor);
    }

    /// One entry of the global queue, if its turn comes before that of those who yielded here.
    private @Nullable Runnable takeGlobal(Processor processor) {
        Runnable entry = isTurnOfGlobal(processor) ? kernel.shared.take() : null;
        if (entry != null) {
            processor.countGlobalTurn();
        }
        return entry;
    }

    private boolean isTurnOfGlobal(Processor processor) {
        return !kernel.shared.isEmpty() && (processor.globalTurns > 0 || !processor.yielded.hasWaiting());
    }

    /// A thread that yielded here, or one that has had fewer turns on another processor: see [Rounds].
    private @Nullable Runnable yieldedWork(Processor processor) {
        Runnable entry = processor.yielded.take();
        if (entry != null || !processor.yielded.hasWaiting()) {
            return entry;
        }
        entry = kernel.rounds.beginNextOrSteal(processor);
        if (entry == null) {
            processor.globalTurns = kernel.shared.share(kernel.procs()); // it comes first
            Runnable first = takeGlobal(processor);
            return first != null ? first : processor.yielded.take();
        }
        if (!processor.yielded.isRoundOver()) {
            // A machine that was about to sleep cannot have seen them on their way from ring to ring.
            kernel.spin.wakeProcessor(this, /* onlyRunNext= */ false);
        }
        return entry;
    }

    /// Whether anything waits in the global queue, or here as if at its end.
    private boolean hasShared(Processor processor) {
        return !kernel.shared.isEmpty() || !processor.yielded.isEmpty();
    }

    /// Takes a share of the global queue. A napper looks without the lock and may have missed what was on its
    /// way.
    private boolean refill(Processor processor) {
        int moved = kernel.shared.refill(processor, kernel.procs());
        if (moved > 1) {
            kernel.spin.endNap();
        }
        return moved > 0;
    }

    /// The slice is over: whoever would inherit it goes to the end of the global queue, as a thread that yields
    /// does. Without this a chain of goroutines that each start the next, or a pair, would keep everybody else
    /// of this processor waiting (N8).
    private void endTimeSlice(Processor processor) {
        processor.preempt = false;
        processor.sliceShared = false;
        processor.schedTick++;
        if (!processor.runQueue.hasNext()) {
            return;
        }
        try {
            makeRoomForYielded(processor);
        } catch (OutOfMemoryError _) {
            return; // it runs a little longer
        }
        Runnable next = processor.runQueue.takeNext();
        if (next != null) {
            processor.yielded.put(next, processor);
            kernel.spin.wakeProcessor(this, /* onlyRunNext= */ false);
        }
    }

    /// Entries went from this processor's queues to the global one. On their way they are in neither, and a
    /// machine that looks at everything before it sleeps (SpinCoordinator, R4) does not wait for the lock: it
    /// may have missed them, so that they count as submitted now.
    private void wakeForMoved() {
        kernel.spin.wakeProcessor(this, /* onlyRunNext= */ false);
    }

    /// Steals, and failing that gives the processor up and sleeps. Null: look again.
    private @Nullable Runnable lookElsewhere(Processor processor) {
        if (processor.stalled != null) {
            return retryStalled(processor);
        }
        if (kernel.sleeper.pollSockets() && processor.hasWork()) {
            return processor.runQueue.get();
        }
        if (spinning || 2 * kernel.spin.spinning() < kernel.procs() - kernel.idle.idleProcessors()) {
            startSpinning();
            Runnable stolen = thief.steal(processor);
            if (stolen != null || kernel.isStopping() || processor.hasWork() || nap(processor)) {
                return stolen;
            }
        }
        goIdle(processor);
        return null;
    }

    private void startSpinning() {
        if (!spinning) {
            owned().spins++;
            kernel.spin.becomeSpinning(this);
            napsSince = 0;
        }
    }

    private void dropToken() {
        if (spinning) {
            kernel.spin.stopSpinning(this);
            kernel.spin.needOneMore(); // what was not announced because of this token still has to be looked for
        }
    }

    /// No shell could be made: waits a moment for memory, then tries the oldest again.
    private @Nullable Runnable retryStalled(Processor processor) {
        dropToken();
        Jdk.parkCarrier(RETRY_NANOS);
        boolean _ = Thread.interrupted();
        Goroutine goroutine = processor.stalled;
        if (goroutine != null) {
            processor.stalled = goroutine.stalledNext;
            goroutine.stalledNext = null;
        }
        return goroutine;
    }

    /// A moment's sleep, still counted as spinning: see SpinCoordinator, Naps. True if it slept, or has to look
    /// again.
    private boolean nap(Processor processor) {
        long now = System.nanoTime();
        boolean first = napsSince == 0;
        if (first) {
            napsSince = now;
        }
        long napping = now - napsSince;
        if (napping > ALL_NAPS_NANOS
                || !kernel.mayNap()
                || !(thief.isSomethingToExpect(processor) || (first && thief.areOthersBusy(processor)))) {
            return false;
        }
        if (first) {
            processor.naps++;
            beginNap();
            sleepBriefly(FIRST_NAP_NANOS);
            endNap();
            return true;
        }
        if (!kernel.spin.announceNap(this)) {
            return false;
        }
        processor.naps++;
        beginNap();
        if (!kernel.hasVisibleWork()) {
            sleepBriefly(Math.clamp(napping, FIRST_NAP_NANOS, LAST_NAP_NANOS));
        }
        kernel.spin.withdrawNap(this);
        endNap();
        return true;
    }

    private static void sleepBriefly(long nanos) {
        Jdk.parkCarrier(nanos);
        boolean _ = Thread.interrupted();
    }

    // ---- going idle: SpinCoordinator, steps R2 to R5

    private void goIdle(Processor processor) {
        processor.clearDead();
        boolean lookAgain;
        boolean needed;
        kernel.lock.lock();
        try {
            needed = !spinning && kernel.spin.needSpinning() != 0;
            lookAgain = needed || kernel.isStopping() || !kernel.shared.isEmpty();
            if (!lookAgain) {
                release();
                kernel.idle.put(processor);
            }
        } finally {
            kernel.lock.held = 0;
        }
        if (needed) {
            startSpinning();
        }
        if (lookAgain) {
            return;
        }
        Chaos.point();
        boolean wasSpinning = spinning;
        if (wasSpinning) {
            kernel.spin.stopSpinning(this); // R3
        }
        Chaos.point();
        if ((wasSpinning && kernel.hasAnyWork()) || kernel.spin.needSpinning() != 0) { // R4
            boolean acquired = acquireIdle(processor);
            if (!acquired) {
                kernel.spin.needOneMore(); // who has it now may not look for work: it shall when it puts it back
                acquired = acquireIdle(processor);
            }
            if (acquired) {
                startSpinning();
                return;
            }
        }
        if (takePending()) {
            return;
        }
        if (kernel.sleeper.sleep(this)) {
            boolean withProcessor = acquireIdle(oldP);
            boolean _ = kernel.sleeper.pollSocketsAfterSleep(); // without a processor: for those who have them
            if (withProcessor) {
                // However many others spin. What it slept for may be a timer of another processor, which only a
                // spinning machine fires. If the operating system has suspended the other spinners, this machine would
                // find nothing, see the same timer, and run in circles until they come back.
                startSpinning();
                return;
            }
        }
        stopMachine();
    }

    /// Takes an idle processor, `preferred` if it is idle.
    private boolean acquireIdle(@Nullable Processor preferred) {
        Processor processor = kernel.takeIdle(preferred);
        if (processor == null) {
            return false;
        }
        acquire(processor);
        kernel.monitor.wake();
        return true;
    }

    /// Takes a processor that waits for a machine.
    private boolean takePending() {
        kernel.lock.lock();
        try {
            return takePendingLocked();
        } finally {
            kernel.lock.held = 0;
        }
    }

    private boolean takePendingLocked() {
        Processor pending = kernel.idle.takePending();
        if (pending == null) {
            return false;
        }
        spinning = pending.pendingSpinning;
        napsSince = 0;
        acquire(pending);
        return true;
    }

    /// The processor was lost in user code: another one, the old one first, or sleep. False: the machine
    /// retires.
    ///
    /// It must not simply stop: what its thread registered while it had no processor may have no one to wait
    /// for it (N3); with a processor it leaves through the whole of [#goIdle].
    private boolean acquireProcessor() {
        dropToken();
        if (rescued != null) {
            drainRescued();
        }
        if (!takePending() && !acquireIdle(oldP)) {
            stopMachine();
        }
        return p != null;
    }

    /// The world stops: gives the processor to the stopper.
    private void giveUpForStop() {
        dropToken();
        kernel.lock.lock();
        try {
            if (kernel.isStopping()) {
                release().status = Processor.Status.STOPPED;
            }
        } finally {
            kernel.lock.held = 0;
        }
    }

    /// Ends this machine: its processor goes on without it.
    private void leave() {
        dropToken();
        drainRescued();
        if (p != null) {
            kernel.handOffOwn(this);
        }
    }

    /// The loop failed at an unknown place: the processor goes on without it, then the rest.
    void abandonDuties() {
        dropToken();
        kernel.spin.withdrawNap(this);
        if (p != null) {
            kernel.handOffOwn(this);
        }
        drainRescued();
    }

    /// Parks in the idle list until a processor is granted. Returns without one when the machine retires. Go:
    /// stopm.
    private void stopMachine() {
        while (true) {
            kernel.lock.lock();
            try {
                if (takePendingLocked()) {
                    return;
                }
                expectGrant();
                kernel.idle.put(this);
            } finally {
                kernel.lock.held = 0;
            }
            if (!parkUntilGranted() || p != null) {
                return;
            }
            dropToken(); // granted and taken away again before it woke: nobody was woken because of this token
            if (acquireIdle(oldP)) {
                return;
            }
        }
    }

    /// True when a processor was granted (and perhaps taken again). False: retired.
    private boolean parkUntilGranted() {
        long deadline = System.nanoTime() + kernel.idleMachineNanos();
        while (!receiveGrant()) {
            long left = deadline - System.nanoTime();
            if (left > 0 && !kernel.isEnded()) {
                Jdk.parkCarrier(left);
                boolean _ = Thread.interrupted(); // anyone can interrupt a carrier: it must not make us spin (N22)
            } else if (kernel.retire(this)) {
                mustEnd = true; // or the loop would take an idle processor and begin again
                return false;
            } else {
                deadline = System.nanoTime() + kernel.idleMachineNanos();
            }
        }
        return true;
    }

    // ---- a thread locked to this machine

    /// The current thread runs on this machine only, and this machine runs nothing else. Nests. In the kernel.
    void lockThread(Thread thread) {
        if (lockCount == 0) {
            kernel.locked.add(thread, this); // first: it may fail for want of memory
            lockedThread = thread;
        }
        lockCount++;
    }

    /// Undoes one [#lockThread]; more than there were do nothing, as in Go.
    void unlockThread(Thread thread) {
        if (lockedThread == thread) {
            if (lockCount == 1) {
                unlockThread();
            } else {
                lockCount--;
            }
        }
    }

    private void unlockThread() {
        Thread thread = lockedThread;
        if (thread != null) {
            kernel.locked.remove(thread);
        }
        lockCount = 0;
        lockedThread = null;
    }

    /// The locked thread's resume task, once it is runnable; this machine then has a processor. Gives the
    /// processor up meanwhile. Null: look again. Go: stoplockedm.
    private @Nullable Runnable awaitLockedThread() {
        dropToken();
        Runnable mail;
        kernel.lock.lock();
        try {
            mail = mailbox;
            mailbox = null;
        } finally {
            kernel.lock.held = 0;
        }
        if (mail != null) {
            if (p != null || acquireIdle(oldP)) {
                return mail;
            }
            kernel.entries.injectPatiently(mail); // whoever finds it brings a processor
        }
        Processor given;
        kernel.lock.lock();
        try {
            if (mailbox != null) {
                return null;
            }
            given = p == null ? null : release();
            expectGrant();
            isLockedIdle = true;
            kernel.lockedIdleMachines++;
        } finally {
            kernel.lock.held = 0;
        }
        if (given != null) {
            kernel.handOff(given);
        }
        while (!receiveGrant()) {
            Jdk.parkCarrier(0);
            boolean _ = Thread.interrupted();
        }
        return null;
    }

    // ---- timers

    /// Runs due timers of a processor, its own or a victim's; what becomes runnable goes to this machine's
    /// processor. The callbacks run outside the heap's lock. Go: timers.check.
    boolean runDueTimers(Processor processor) {
        if (processor.timers.nextWhen() == Long.MAX_VALUE) {
            return false;
        }
        long now = kernel.now();
        if (!processor.timers.hasWork(now)) {
            return false;
        }
        int count = processor.timers.takeDue(now, due);
        for (int i = 0; i < count; i++) {
            TimerEntry timer = due[i];
            due[i] = null;
            if (timer != null) {
                fire(timer);
            }
        }
        owned().timersFired += count;
        return count > 0;
    }

    private void fire(TimerEntry timer) {
        try {
            timer.fire();
        } catch (Throwable failure) {
            kernel.timerFailed(this, failure);
        }
    }

    // ---- blocking

    /// Go: entersyscall. The processor stays; the system monitor takes it if this lasts.
    @Override
    public boolean beginBlocking() {
        if (blocking || depth != 0) {
            return false;
        }
        blocking = enterBlocking();
        return blocking;
    }

    /// Go: exitsyscall. Called on every yield, too, on the carrier: then the loop sees to a lost processor.
    @Override
    public void endBlocking() {
        if (blocking) {
            boolean isKept = exitBlocking();
            blocking = false; // now: had the stack ended in there, the next yield would end the operation
            if (!isKept && Thread.currentThread() != this) {
                kernel.entries.regainOrYield(this);
                // the carrier may be another one now: nothing of `this` is touched any more
            }
        }
    }

    /// Gives the processor to others at once: the thread here is about to block. Go: entersyscallblock. In the
    /// kernel.
    void giveAway() {
        givenAway = true;
        kernel.handOffOwn(this);
    }

    /// A processor for user code that has none: the old one back from an owner that is blocked itself, or an
    /// idle one. Go: exitsyscallTryGetP. In the kernel.
    boolean regain() {
        Processor old = oldP;
        Machine owner = old == null ? null : old.machine;
        long word = owner == null ? 0 : owner.word();
        if (old != null
                && owner != null
                && Word.state(word) == Word.SYSCALL
                && Word.pid(word) == old.id
                && owner.take(word)) {
            acquire(old);
        } else {
            acquireIdle(old);
        }
        return p != null;
    }

    /// Whether the thread that runs here, and has to wait for another, had better spin for a moment than park:
    /// nobody else wants its processor, and who it waits for may be running on another. Racy: asked from user
    /// code. Go: sync_runtime_canSpin.
    boolean maySpin() {
        Processor processor = p;
        return processor != null && maySpin(processor);
    }

    private boolean maySpin(Processor processor) {
        return !processor.hasWork() && kernel.procs() - kernel.idle.idleProcessors() - kernel.spin.spinning() > 1;
    }

    /// Whether the thread that runs here should yield: its slice is over, or its processor was taken, whatever
    /// for. Asked from user code, where only the word tells whether the processor is still there.
    boolean shouldYield() {
        Processor processor = p;
        int state = Word.state(word());
        return processor == null || state == Word.LOST || state == Word.NONE ? !givenAway : processor.preempt;
    }

    /// [#shouldYield] at a scheduling point of the API; the system monitor sees that there are such points.
    boolean shouldYieldAtCheckpoint() {
        Processor processor = p;
        if (processor != null) {
            processor.points++;
        }
        return shouldYield();
    }

    /// [#shouldYield] at a preemption point, which a hog may pass a billion times a second.
    boolean shouldYieldAtPoint() {
        if (!shouldYield()) {
            return false;
        }
        if (arePointsClosed) {
            arePointsClosed = CoarseClock.nanos() - pointsClosedAt < CLOSED_POINTS_NANOS;
        }
        return !arePointsClosed;
    }

    /// A thread was asked to yield at a preemption point and could not, since it is pinned: not again for a
    /// while.
    void closePoints() {
        arePointsClosed = true;
        pointsClosedAt = CoarseClock.nanos();
    }

    /// The virtual thread that runs here, as far as another thread can see.
    public @Nullable Thread mountedThread() {
        Runnable task = mounted();
        return task == null ? null : Jdk.threadOf(task);
    }

    /// Tells the system monitor that the mounted thread passes no preemption point. Any thread.
    public void reportNoPoints() {
        hasNoPoints = true;
    }

    /// Its thread hogs a CPU and was given a lower priority, which cannot be undone: it ends with its
    /// goroutine's turn.
    void endSoon() {
        mustEnd = true;
    }

    @Override
    public String toString() {
        return "M" + id + "[" + Word.toString(word()) + (spinning ? ", spinning" : "") + "]";
    }
}
