package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.event.CoarseClock;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.ThreadState;
import dev.heddle.internal.queue.TimerEntry;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A machine: the carrier thread that runs goroutines while it owns a processor, and the loop that finds them.
///
/// Go: m, with schedule, findRunnable and execute.
public final class Machine extends ProcessorOwner implements KernelThread {

    /// 61: a prime, as in Go. At every 61st tick the machine checks the global queue first.
    private static final int GLOBAL_CHECK_TICKS = 61;

    private static final int TIMERS_PER_CHECK = 64;

    // The naps of a spinner: the shortest, the longest, and how long one search may go on napping (N13).
    private static final long FIRST_NAP_NANOS = 50_000;
    private static final long LAST_NAP_NANOS = 400_000;
    private static final long ALL_NAPS_NANOS = 10_000_000;

    /// A pinned thread tries to yield at most once in this time: each attempt costs half a microsecond and fails.
    private static final long CLOSED_POINTS_NANOS = 10_000_000;

    private static final long RETRY_NANOS = 1_000_000;

    private static final VarHandle RESCUED = Handles.field(lookup(), "rescued", Object[].class);

    final Kernel kernel;
    final int id;
    private final Thief thief;

    /// What the operating system says of this thread: for the system monitor.
    final ThreadProbe probe = new ThreadProbe(this);

    /// This machine holds a token of [SpinCoordinator]. Written by its own thread, or by the granter before the
    /// grant.
    boolean spinning;

    /// Links of the idle list, and whether this machine is in it. Under the scheduler lock.
    @Nullable
    Machine idlePrev;

    @Nullable
    Machine idleNext;

    boolean isIdle;

    /// The resume task that runs now. Written by its own thread only; others read it racily, through [#mounted].
    private @Nullable Runnable current;

    /// The entry found by findRunnable came from runNext and inherits the time slice.
    private boolean inheritTime;

    /// This machine is starting a shell. The JDK then submits the shell's resume task to [#readyHere], which keeps
    /// it in `startedShell` instead of queueing it.
    private boolean startingShell;

    private @Nullable Runnable startedShell;

    /// The number of resume tasks that this machine has run. If it changed, the shell was unmounted in between.
    private long mounts;

    /// A declared blocking operation is under way on this machine. Own thread only.
    private boolean blocking;

    /// The mounted thread has given its processor away because it is about to block. Until it has blocked it does
    /// not ask for another one. Own thread only.
    boolean givenAway;

    /// The thread that is locked to this machine, which runs nothing else. Own thread only; see
    /// [LockedThreads].
    private @Nullable Thread lockedThread;

    private int lockCount;

    /// The resume task of the locked thread, found by another machine. Under the scheduler lock.
    @Nullable
    Runnable mailbox;

    /// Parked until another machine brings the locked thread's resume task and a processor. Under the scheduler
    /// lock.
    boolean isLockedIdle;

    /// Link of [MachineList], and what the system monitor has seen of this machine. Once the machine is in the
    /// list: system monitor only.
    @Nullable
    Machine listNext;

    final MachineSample sample = new MachineSample();

    /// This thread has left its loop for good. Own thread only; read by the system monitor.
    volatile boolean hasEnded;

    /// The thread computes without a processor. Written by the system monitor; others read it for statistics and at
    /// preemption points.
    volatile boolean isFreeHog;

    /// The thread has been given a lower priority because it is a free hog. Cleared by the system monitor, set by
    /// the [Demoter].
    volatile boolean isDemoted;

    /// The thread has a longer slice than others because it computed without a processor. Set by the system
    /// monitor, cleared by this machine when the turn is over.
    volatile @Nullable Demoter sliceLengthenedBy;

    /// The code that the mounted thread runs has no preemption points, so waiting for one is useless. Cleared
    /// by the system monitor before it asks [PreemptionPoints], set by [#reportNoPoints].
    volatile boolean hasNoPoints;

    /// Preemption points do not try to yield for a while, because the thread was pinned. Own thread only.
    private boolean arePointsClosed;

    private long pointsClosedAt;

    /// The machine ends at its next scheduling point, because its thread was demoted, because a goroutine ended
    /// while locked to it, or because it was idle for too long. It does not end while a thread is locked to it.
    private volatile boolean mustEnd;

    /// The processor to whose CPU this thread was last moved.
    private @Nullable Processor placedFor;

    private final @Nullable TimerEntry[] due = new TimerEntry[TIMERS_PER_CHECK];

    /// When the first nap of this search began; 0 before it. Written by its own thread, or by the granter
    /// before the grant.
    private long napsSince;

    /// Entries that could not be queued because of a stack overflow (N6): a linked list of cells, each holding an
    /// entry and the next cell. This thread adds to it by stores only, see [EntryPoints].
    volatile Object @Nullable [] rescued;

    /// Pins of the mounted thread that could not be undone because of a stack overflow. Own thread only.
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
            demoter.restoreSlice(this);
        }
    }

    /// Runs one entry.
    /// Go: execute.
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
            return; // the locked thread runs on its own machine, with our processor
        } else if (!isRunnable(Jdk.stateOf(entry))) {
            return; // queued twice (J2): it has already run, or it is suspended and will be queued again
        }
        if (!inheritTime) {
            processor.schedTick++;
        }
        processor.switches++;
        mounts++;
        current = task;
        Throwable failure = null;
        showQueuedWork(!maySpin(processor));
        pinsOwed = 0; // the pins of the previous thread left with that thread
        exitKernel();
        try {
            task.run();
        } catch (Throwable e) {
            failure = e;
        }
        if (depth == 0) { // otherwise the thread yielded, and readyHere left the kernel entered
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

    /// The thread that this machine has just run has ended, here or in the meantime on another machine.
    private void ended(Thread thread) {
        if (Jdk.claimEnd(thread)) {
            countEnd();
        }
        if (thread == lockedThread) {
            unlockThread();
            mustEnd = true; // Go: a goroutine that exits locked takes its thread with it
        }
    }

    /// Makes a thread runnable again after the JDK failed between two of its states, for example on
    /// OutOfMemoryError. A park may return early; a thread that never runs again would be a bug (N18).
    private void repair(Runnable task, Throwable failure) {
        kernel.countRepair(failure);
        int state = Jdk.stateOf(task);
        int repaired = switch (state) {
            case ThreadState.PARKING, ThreadState.TIMED_PARKING -> ThreadState.UNPARKED;
            case ThreadState.WAITING, ThreadState.TIMED_WAITING -> ThreadState.UNBLOCKED;
            default -> state;
        };
        if (state != repaired && !Jdk.repairState(task, state, repaired)) {
            return; // another thread has already changed the state
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

    /// Makes a shell for the goroutine, starts it, and returns its resume task, which the JDK hands to
    /// [#readyHere]. Null on OutOfMemoryError or StackOverflowError.
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

    /// The kernel step between two goroutines of a shell. Returns the next goroutine if the next runnable entry
    /// is a fresh goroutine; otherwise null, and the shell ends.
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
        Jdk.claimEnd(Thread.currentThread()); // the goroutines were counted one by one; the thread itself is not
        return null;
    }

    /// Takes the next entry in findRunnable's order if it is a fresh goroutine and nothing else is due.
    /// Otherwise the entry stays in its queue. The method peeks first, because an entry that is taken and kept
    /// here would be invisible to thieves (N16).
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
    /// True if the thread that ran here has yielded. The caller then must not exit the kernel: the thread is no
    /// longer mounted, and the JDK is about to return to [#execute].
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

    /// Puts a thread that yields at the end of the global queue (F18), by way of this processor's yielded threads.
    /// Unlike Go, this wakes no machine: this machine takes the next entry at once, so the other machines have no
    /// more work than before.
    void yieldHere(Runnable resumeTask) {
        Processor processor = owned();
        if (processor.isSliceOver()) {
            endTimeSlice(processor); // first: a yield lets all others run, including the heir of the slice
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

    /// A cheap check whether other threads are runnable here. If so, the caller need not ask [#yieldsToNobody]. On
    /// this carrier.
    boolean seesOthers() {
        Processor processor = p;
        return processor != null && processor.hasOwnWork();
    }

    /// Whether the mounted thread would run next even if it yielded. If so, it gets a new slice and need not
    /// unmount. In the kernel.
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

    /// Puts an entry into runNext and wakes a machine if one should search for work.
    /// Go: runqput and wakep.
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

    /// Moves the local queues to the global one. Used when a thread whose slice is over makes another one
    /// runnable at a point where it cannot yield. The queued threads can then run on all processors instead of
    /// waiting behind it, and the monitor need not take the processor (N8).
    private void shareQueue(Processor processor) {
        if (kernel.procs() > 1) {
            processor.preempt = false;
            processor.sliceShared = true;
            processor.schedTick++;
            kernel.shared.takeOver(processor.yielded);
            kernel.shared.takeOver(processor.runQueue);
        }
    }

    /// Queues a fresh goroutine. On a stack overflow before it is queued, the goroutine is not started, and the
    /// entry that it displaced is not lost.
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

    /// Drops `cells`: the system monitor has queued all of their entries.
    void forgetRescued(Object[] cells) {
        boolean _ = RESCUED.compareAndSet(this, cells, (Object[]) null); // fails if cells were added: tried again
    }

    /// Whether [#settle] has anything to do. On this carrier.
    boolean isInDebt() {
        return rescued != null || pinsOwed != 0;
    }

    /// Completes what a stack overflow left undone. The caller has enough stack now.
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

    /// Finds an entry to run; null if the machine has given up its processor or should search again.
    /// Go: findRunnable, in its order.
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

    /// Takes an entry of the own queue, or of the global queue where fairness requires it.
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

    /// Takes a share of the global queue, and after it the threads that yielded here, as if they were at its end
    /// (F18).
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

    /// Like [#sharedWork], but takes one entry only.
    private @Nullable Runnable firstShared(Processor processor) {
        Runnable first = takeGlobal(processor);
        return first != null ? first : yieldedWork(processor);
    }

    /// One entry of the global queue, if its turn comes before that of the threads that yielded here.
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
            processor.globalTurns = kernel.shared.share(kernel.procs()); // the global queue comes first
            Runnable first = takeGlobal(processor);
            return first != null ? first : processor.yielded.take();
        }
        if (!processor.yielded.isRoundOver()) {
            // A machine that was about to sleep cannot see entries while they move from ring to ring.
            kernel.spin.wakeProcessor(this, /* onlyRunNext= */ false);
        }
        return entry;
    }

    /// Whether entries wait in the global queue, or yielded threads here, which count as its end.
    private boolean hasShared(Processor processor) {
        return !kernel.shared.isEmpty() || !processor.yielded.isEmpty();
    }

    /// Takes a share of the global queue. A napper scans without the lock and may have missed entries that were
    /// being moved, so it is woken.
    private boolean refill(Processor processor) {
        int moved = kernel.shared.refill(processor, kernel.procs());
        if (moved > 1) {
            kernel.spin.endNap();
        }
        return moved > 0;
    }

    /// Ends the slice: the entry that would inherit it goes to the end of the global queue, like a thread that
    /// yields. Otherwise a chain of goroutines that each start the next, or a pair that wakes each other, would
    /// keep all other entries of this processor waiting (N8).
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
            return; // the heir of the slice runs a little longer
        }
        Runnable next = processor.runQueue.takeNext();
        if (next != null) {
            processor.yielded.put(next, processor);
            kernel.spin.wakeProcessor(this, /* onlyRunNext= */ false);
        }
    }

    /// Entries were moved from this processor's queues to the global one. During the move they are in neither. A
    /// machine that scans all queues before it sleeps (SpinCoordinator, R4) does not take the lock, so it may have
    /// missed them. So they count as submitted now.
    private void wakeForMoved() {
        kernel.spin.wakeProcessor(this, /* onlyRunNext= */ false);
    }

    /// Steals. If there is nothing to steal, gives the processor up and sleeps. Null: search again.
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
            kernel.spin.needOneMore(); // submitters relied on this token: another machine has to search
        }
    }

    /// No shell could be made: waits briefly for memory, then returns the latest stalled goroutine for another
    /// attempt.
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

    /// Sleeps briefly, still counted as spinning: see SpinCoordinator, Naps. True if the machine napped, or has to
    /// search again.
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
                kernel.spin.needOneMore(); // the new owner may not search: it must before it goes idle
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
            boolean _ = kernel.sleeper.pollSocketsAfterSleep(); // without a processor: for the machines that have one
            if (withProcessor) {
                // Spin, however many others do. The machine may have slept for a timer of another processor, which
                // only a spinning machine fires. If the operating system has suspended the other spinners, this machine
                // would otherwise find nothing, see the same timer again, and loop until they resume.
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

    /// Gets a processor after the old one was taken in user code: the old one if it is idle, another one, or
    /// the next that is granted while the machine is parked. False: the machine retires.
    ///
    /// The machine must not simply park. Its thread may have registered something, such as a timer, while it had no
    /// processor, and no machine may be waiting for that (N3). With a processor it goes through all of [#goIdle].
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

    /// The world is being stopped: gives the processor to the stopper.
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

    /// Ends this machine and hands off its processor.
    private void leave() {
        dropToken();
        drainRescued();
        if (p != null) {
            kernel.handOffOwn(this);
        }
    }

    /// The loop failed at an unknown place: hands off the processor, then queues the rescued entries.
    void abandonDuties() {
        dropToken();
        kernel.spin.withdrawNap(this);
        if (p != null) {
            kernel.handOffOwn(this);
        }
        drainRescued();
    }

    /// Parks in the idle list until a processor is granted. Returns without one when the machine retires.
    /// Go: stopm.
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
            dropToken(); // granted and taken before it woke: submitters relied on this token
            if (acquireIdle(oldP)) {
                return;
            }
        }
    }

    /// True if a processor was granted (and perhaps taken again). False if the machine has retired.
    private boolean parkUntilGranted() {
        long deadline = System.nanoTime() + kernel.idleMachineNanos();
        while (!receiveGrant()) {
            long left = deadline - System.nanoTime();
            if (left > 0 && !kernel.isEnded()) {
                Jdk.parkCarrier(left);
                boolean _ = Thread.interrupted(); // any thread may interrupt a carrier: it must not busy-loop (N22)
            } else if (kernel.retire(this)) {
                mustEnd = true; // otherwise the loop would take an idle processor and continue
                return false;
            } else {
                deadline = System.nanoTime() + kernel.idleMachineNanos();
            }
        }
        return true;
    }

    // ---- a thread locked to this machine

    /// From now on `thread`, the current one, runs on this machine only, and this machine runs nothing else.
    /// Nests. In the kernel.
    void lockThread(Thread thread) {
        if (lockCount == 0) {
            kernel.locked.add(thread, this); // first: it may throw OutOfMemoryError
            lockedThread = thread;
        }
        lockCount++;
    }

    /// Undoes one [#lockThread]. Does nothing if there is none left to undo, as in Go.
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

    /// Returns the locked thread's resume task once it is runnable; this machine then has a processor. Gives
    /// the processor up while it waits. Null: call again.
    /// Go: stoplockedm.
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
            kernel.entries.injectPatiently(mail); // the machine that finds it brings a processor
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

    /// Runs the due timers of a processor, its own or a victim's. Threads that become runnable go to this
    /// machine's processor. The callbacks run outside the heap's lock.
    /// Go: timers.check.
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

    /// Go: exitsyscall. Also called at every yield, on the carrier; the loop then replaces a lost processor.
    @Override
    public void endBlocking() {
        if (blocking) {
            boolean isKept = exitBlocking();
            blocking = false; // only now: after a stack overflow above, the next yield ends the operation
            if (!isKept && Thread.currentThread() != this) {
                kernel.entries.regainOrYield(this);
                // the thread may be on another carrier now: do not touch `this` any more
            }
        }
    }

    /// Hands off the processor at once: the mounted thread is about to block. Go: entersyscallblock. In the
    /// kernel.
    void giveAway() {
        givenAway = true;
        kernel.handOffOwn(this);
    }

    /// Gets a processor for user code that has none: takes the old one back from an owner that is blocked
    /// itself, or takes an idle one. False if there is neither. Go: exitsyscallTryGetP. In the kernel.
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

    /// Whether the mounted thread, which has to wait for another thread, should spin briefly before it parks.
    /// It should if no other thread waits for its processor and the other thread may be running on another
    /// processor. Racy: called from user code.
    /// Go: sync_runtime_canSpin.
    boolean maySpin() {
        Processor processor = p;
        return processor != null && maySpin(processor);
    }

    private boolean maySpin(Processor processor) {
        return !processor.hasWork() && kernel.procs() - kernel.idle.idleProcessors() - kernel.spin.spinning() > 1;
    }

    /// Whether the mounted thread should yield: its slice is over, or its processor was taken, for whatever
    /// reason. False if the thread gave the processor away itself. Called from user code, where only the word
    /// tells whether the machine still owns the processor.
    boolean shouldYield() {
        Processor processor = p;
        int state = Word.state(word());
        return processor == null || state == Word.LOST || state == Word.NONE ? !givenAway : processor.preempt;
    }

    /// [#shouldYield] at a scheduling point of the API. Counts the point for the system monitor.
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

    /// A thread was asked to yield at a preemption point and could not, because it is pinned. It is not asked
    /// again for a while.
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

    /// Ends this machine after the current turn of its goroutine. Its thread hogged a CPU and was given a lower
    /// priority, which cannot be undone.
    void endSoon() {
        mustEnd = true;
    }

    @Override
    public String toString() {
        return "M" + id + "[" + Word.toString(word()) + (spinning ? ", spinning" : "") + "]";
    }
}
