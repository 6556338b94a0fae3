package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.JdkPollers;
import dev.heddle.internal.jdk.ThreadState;
import org.jspecify.annotations.Nullable;

/// Every way into the kernel from user code, and the one frame that all of them pass through.
/// Go: ready, newproc, Gosched, entersyscallblock, exitsyscall, LockOSThread.
final class EntryPoints {
    /*
     * Shape.      1. StackReserve checks for as much stack as any section needs. If there is less, it throws
     *                StackOverflowError before anything has changed.
     *             2. Pin the thread. Until here it may move to another carrier.
     *             3. Find the machine that carries the thread, if it is one of this kernel's. Its word becomes KERNEL.
     *             4. Run the section. It is bounded, its classes are linked, and it calls no user code.
     *             5. The word becomes USER. Unpin the thread.
     *             6. After a failure, restore depth and word with field stores. A method call could fail again: the
     *                failure may be a stack overflow. Only a call can undo the pin. If that call overflows too, the
     *                machine owes the unpin until its next kernel entry.
     * Why both.   Step 1 makes step 6 rare. What remains is OutOfMemoryError, and a section that needs more than the
     *             reserve. The latter is a bug and is counted (Counters.cutShort). Step 6 alone would save the
     *             lock and the P, but not a section that was cut in two.
     * Not here.   beginBlocking and endBlocking (Blocking): one CAS, with stores around it. The checks of Preemption:
     *             reads.
     * Without room. An entry that starts something is refused: its caller gets the StackOverflowError. An entry that
     *             would get a processor back is skipped. The news that a thread became runnable must be kept, because
     *             the JDK delivers it once. A store puts the thread on the rescued list of the caller's machine. That
     *             machine's next entry, its loop or the system monitor empties the list, whichever comes first.
     *             A caller that runs on no machine puts the thread on the kernel's list and wakes the monitor. If there
     *             is no stack for that call, the caller gets the StackOverflowError, though the thread is kept.
     * Sources.    docs/adr/0005-one-way-into-the-kernel.md. Checked by EntryDepthTest, EntryShapeTest.
     */

    // The operations of `enter`.
    private static final int READY = 0;
    private static final int START = 1;
    private static final int NEXT_FOR_SHELL = 2;
    private static final int ADD_TIMER = 3;
    private static final int TRY_STAY = 4;
    private static final int GIVE_PROCESSOR_AWAY = 5;
    private static final int EXIT_BLOCKING = 6;
    private static final int LOCK_THREAD = 7;
    private static final int UNLOCK_THREAD = 8;
    private static final int RESIZE = 9;
    private static final int ANNOTATE = 10;

    /// The result "yes" of sections that have nothing else to return.
    private static final Object YES = new Object();

    /// The thread that entered has been unmounted meanwhile, so the kernel stays entered. See [Submitter#ready].
    private static final Object STAYS = new Object();

    private final Kernel kernel;
    private final Submitter submitter;

    EntryPoints(Kernel kernel) {
        this.kernel = kernel;
        this.submitter = kernel.submitter;
        StackReserve.check(); // initialises it now: a stack overflow in a class initialiser makes the class unusable
        Goroutine.initialise();
    }

    private @Nullable Object enter(int what, Object argument) {
        Machine machine = null;
        int depthBefore = 0;
        Object result;
        Jdk.pin();
        try {
            machine = machineHere();
            if (machine == null) {
                result = act(what, argument, null);
            } else {
                depthBefore = machine.depth;
                if (machine.rescue.isOwed()) {
                    machine.rescue.settle();
                }
                machine.enterKernel();
                result = act(what, argument, machine);
                if (result != STAYS) {
                    machine.exitKernel();
                }
            }
        } catch (Throwable failure) { // no method calls in this block: there may be no stack for them
            Runnable stranded = null;
            if (machine != null) {
                machine.depth = depthBefore;
                Processor processor = machine.p;
                if (processor != null && (machine.word & Word.STATE_MASK) == Word.KERNEL) {
                    stranded = processor.runQueue.stranded;
                    processor.runQueue.stranded = null;
                    if (depthBefore == 0) {
                        long user = (machine.word & ~Word.STATE_MASK) + Word.ONE_SEQ + Word.USER; // Word.next
                        machine.ownWord = user;
                        machine.word = user;
                    }
                }
                if (stranded != null) {
                    machine.rescue.entries = new Object[] {stranded, machine.rescue.entries};
                }
            }
            if (failure instanceof StackOverflowError) {
                kernel.counters.cutShort++;
                if (machine != null && what == READY) {
                    machine.rescue.entries = new Object[] {argument, machine.rescue.entries};
                    return null;
                }
            }
            throw failure;
        } finally {
            try {
                Jdk.unpin();
            } catch (StackOverflowError late) {
                if (machine == null) {
                    throw late;
                }
                machine.rescue.pinsOwed++;
            }
        }
        return result;
    }

    /// The machine that carries this thread, if it is one of this kernel's; else null. The caller is pinned.
    @Nullable
    Machine machineHere() {
        return Jdk.currentCarrierThread() instanceof Machine machine && machine.kernel == kernel ? machine : null;
    }

    private @Nullable Object act(int what, Object argument, @Nullable Machine machine) {
        return switch (what) {
            case READY -> submitter.ready(machine, (Runnable) argument) ? STAYS : null;
            case START -> submitter.start(machine, (Goroutine) argument) ? YES : null;
            default -> actSeldom(what, argument, machine);
        };
    }

    private @Nullable Object actSeldom(int what, Object argument, @Nullable Machine machine) {
        switch (what) {
            case ADD_TIMER -> kernel.timers.add((KernelTimer) argument, machine);
            case RESIZE -> kernel.world.change((World.Plan) argument, machine);
            case ANNOTATE -> TraceSwitch.annotateHere((Annotation) argument, machine);
            default -> {
                if (machine == null) {
                    throw new SchedulerBug("entered from a foreign carrier: " + Jdk.currentCarrierThread());
                }
                return actHere(what, argument, machine);
            }
        }
        return null;
    }

    private @Nullable Object actHere(int what, Object argument, Machine machine) {
        switch (what) {
            case NEXT_FOR_SHELL -> {
                return machine.shells.next((Shell) argument);
            }
            case TRY_STAY -> {
                return machine.preemption.tryStay() ? YES : null;
            }
            case EXIT_BLOCKING -> {
                return machine.p != null || machine.blocking.tryGetProcessor() ? YES : null;
            }
            case GIVE_PROCESSOR_AWAY -> {
                if (machine.p != null) {
                    machine.blocking.giveAway();
                }
            }
            case LOCK_THREAD -> machine.locked.lock((Thread) argument);
            case UNLOCK_THREAD -> machine.locked.unlock((Thread) argument);
            default -> throw new SchedulerBug("no such entry point: " + what);
        }
        return null;
    }

    // ---- threads and goroutines that become runnable

    /// A thread of this scheduler became runnable. The JDK calls this through `execute`. Any thread.
    void ready(Runnable resumeTask) {
        if (!StackReserve.isThere()) {
            readyWithoutRoom(resumeTask);
        } else if (Jdk.stateOf(resumeTask) != ThreadState.STARTED || !isAdopted(Jdk.threadOf(resumeTask))) {
            enter(READY, resumeTask);
        }
    }

    /// Whether the thread that is about to start need not run, because machines do its work (a sub-poller).
    private boolean isAdopted(Thread thread) {
        if (!JdkPollers.isSubPoller(thread)) {
            return false;
        }
        if (DefaultScheduler.installed() == kernel.pool() && kernel.sockets.adopt(thread)) {
            return true;
        }
        kernel.counters.strayEnds.incrementAndGet(); // now, because it never ends and is not a goroutine of the program
        return false;
    }

    /// Keeps an entry without stack for a kernel entry. Needs no pin: nothing between reading the carrier and
    /// the store can unmount this thread.
    private void readyWithoutRoom(Runnable resumeTask) {
        if (Jdk.stateOf(resumeTask) == ThreadState.STARTED) {
            StackReserve.check(); // the start is refused
        }
        Machine machine = machineHere();
        if (machine != null) {
            machine.rescue.entries = new Object[] {resumeTask, machine.rescue.entries}; // an array: no constructor call
            kernel.monitor.wake(); // it sleeps if this machine lost its processor and all processors are idle
        } else {
            kernel.rescues.keep(resumeTask);
        }
    }

    /// Starts a goroutine. Any thread.
    /// Go: newproc.
    void spawn(Goroutine goroutine) {
        StackReserve.check();
        if (enter(START, goroutine) != null) {
            yieldSlice();
        }
    }

    /// The shell's step between two goroutines.
    @Nullable
    Goroutine nextForShell(Shell shell) {
        StackReserve.check();
        return (Goroutine) enter(NEXT_FOR_SHELL, shell);
    }

    void addTimer(KernelTimer timer) {
        StackReserve.check();
        enter(ADD_TIMER, timer);
    }

    void resize(World.Plan plan) {
        StackReserve.check();
        enter(RESIZE, plan);
    }

    /// Adds an event of the program to the recording. Any thread.
    void annotate(Annotation annotation) {
        StackReserve.check();
        enter(ANNOTATE, annotation);
    }

    // ---- yields

    /// Lets other runnable threads run first; returns at once if there are none. Any thread.
    /// Go: Gosched.
    static void gosched() {
        StackReserve.check(); // the JDK crashes if a thread yields with less stack (docs/differences.md)
        if (!(Jdk.currentCarrierThread() instanceof Machine machine)
                || machine.preemption.seesOthers()
                || machine.kernel.entries.enter(TRY_STAY, machine) == null) {
            Thread.yield();
        }
    }

    /// Yields if that is possible. A failure is ignored, because the user did not ask for this yield.
    static void yieldSlice() {
        if (Thread.currentThread().isVirtual() && StackReserve.isThere()) {
            try {
                Thread.yield();
            } catch (OutOfMemoryError | StackOverflowError _) {
                // no memory to yield with, or no stack to walk so many frames: the thread goes on and is asked again
            }
        }
    }

    // ---- blocking

    /// The current thread is about to block: its machine gives the processor away at once. Any thread.
    /// Go: entersyscallblock.
    static void giveProcessorAway() {
        StackReserve.check();
        if (Jdk.currentCarrierThread() instanceof Machine machine && Thread.currentThread() != machine) {
            machine.kernel.entries.enter(GIVE_PROCESSOR_AWAY, machine);
        }
    }

    /// User code came back from blocking. It goes on if there is a processor for it, and otherwise waits for
    /// its turn in the global queue. A thread that is pinned or short of stack cannot wait there: it goes on
    /// without a processor until its next kernel entry (N15). On a virtual thread's stack, on that machine.
    void exitBlocking(Machine machine) {
        machine.blocking.isGivenAway = false; // a store: no call comes before the check of the stack
        if (StackReserve.isThere() && enter(EXIT_BLOCKING, machine) == null) {
            yieldSlice();
        }
    }

    // ---- threads locked to a machine

    /// Go: runtime.LockOSThread. On a virtual thread of this scheduler.
    void lockThread() {
        StackReserve.check();
        enter(LOCK_THREAD, threadOfThisKernel());
    }

    /// Go: runtime.UnlockOSThread.
    void unlockThread() {
        StackReserve.check();
        enter(UNLOCK_THREAD, threadOfThisKernel());
    }

    private Thread threadOfThisKernel() {
        Thread thread = Thread.currentThread();
        if (Jdk.poolOf(thread) != kernel.pool()) {
            throw new IllegalStateException("only a goroutine or virtual thread of the scheduler can be locked to its"
                    + " carrier; this is " + thread);
        }
        return thread;
    }
}
