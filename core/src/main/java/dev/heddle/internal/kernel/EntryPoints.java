package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.Pollers;
import dev.heddle.internal.jdk.ThreadState;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Every way into the kernel from user code, and the one frame that all of them pass through.
/// Go: ready, newproc, Gosched, entersyscallblock, exitsyscall, LockOSThread.
public final class EntryPoints {
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
     *             reserve. The latter is a bug and is counted (KernelCounters.cutShort). Step 6 alone would save the
     *             lock and the P, but not a section that was cut in two.
     * Not here.   beginBlocking and endBlocking (ProcessorOwner): one CAS, with stores around it. checkpoint, maySpin:
     *             reads.
     * Without room. An entry that starts something is refused: its caller gets the StackOverflowError. An entry that
     *             would get a processor back is skipped. The news that a thread became runnable must be kept, because
     *             the JDK delivers it once. A store puts the thread on the rescued list of the caller's machine. That
     *             machine's next entry, its loop or the system monitor empties the list, whichever comes first.
     *             A caller that runs on no machine puts the thread on the kernel's list.
     * Sources.    docs/adr/0005-one-way-into-the-kernel.md. Checked by EntryDepthTest, EntryShapeTest.
     */

    // The operations of `enter`.
    private static final int READY = 0;
    private static final int START = 1;
    private static final int NEXT_FOR_SHELL = 2;
    private static final int ADD_TIMER = 3;
    private static final int YIELDS_TO_NOBODY = 4;
    private static final int GIVE_PROCESSOR_AWAY = 5;
    private static final int REGAIN = 6;
    private static final int LOCK_THREAD = 7;
    private static final int UNLOCK_THREAD = 8;
    private static final int RESIZE = 9;

    /// The result "yes" of sections that have nothing else to return.
    private static final Object YES = new Object();

    /// The thread that entered has been unmounted meanwhile, so the kernel stays entered. See [Machine#readyHere].
    private static final Object STAYS = new Object();

    private final Kernel kernel;

    /// Threads that became runnable on a caller that had neither stack nor machine. A linked list: each cell
    /// holds an entry and the next cell.
    private final AtomicReference<Object @Nullable []> rescued = new AtomicReference<>();

    EntryPoints(Kernel kernel) {
        this.kernel = kernel;
        StackReserve.check(); // initialises it now: a stack overflow in a class initialiser makes the class unusable
        Goroutine.initialise();
    }

    private @Nullable Object enter(int what, Object argument) {
        Machine machine = null;
        int depthBefore = 0;
        Object result;
        Jdk.pin();
        try {
            machine = kernel.machineHere();
            if (machine == null) {
                result = act(what, argument, null);
            } else {
                depthBefore = machine.depth;
                if (machine.isInDebt()) {
                    machine.settle();
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
                    machine.rescued = new Object[] {stranded, machine.rescued};
                }
            }
            if (failure instanceof StackOverflowError) {
                kernel.counters.cutShort++;
                if (machine != null && what == READY) {
                    machine.rescued = new Object[] {argument, machine.rescued};
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
                machine.pinsOwed++;
            }
        }
        return result;
    }

    private @Nullable Object act(int what, Object argument, @Nullable Machine machine) {
        return switch (what) {
            case READY -> ready(machine, (Runnable) argument);
            case START -> start(machine, (Goroutine) argument);
            default -> actSeldom(what, argument, machine);
        };
    }

    private @Nullable Object actSeldom(int what, Object argument, @Nullable Machine machine) {
        switch (what) {
            case ADD_TIMER -> kernel.addTimer((KernelTimer) argument, machine);
            case RESIZE -> kernel.world.change((World.Plan) argument, machine);
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
                return machine.nextForShell((Shell) argument);
            }
            case YIELDS_TO_NOBODY -> {
                return machine.yieldsToNobody() ? YES : null;
            }
            case REGAIN -> {
                return machine.p != null || machine.regain() ? YES : null;
            }
            case GIVE_PROCESSOR_AWAY -> {
                if (machine.p != null) {
                    machine.giveAway();
                }
            }
            case LOCK_THREAD -> machine.lockThread((Thread) argument);
            case UNLOCK_THREAD -> machine.unlockThread((Thread) argument);
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
        if (!Pollers.isSubPoller(thread)) {
            return false;
        }
        if (DefaultScheduler.installed() == kernel.pool() && kernel.sleeper.adopt(thread)) {
            return true;
        }
        kernel.counters.strayEnds.incrementAndGet(); // now, because it never ends and is not a goroutine of the program
        return false;
    }

    private @Nullable Object ready(@Nullable Machine machine, Runnable resumeTask) {
        int state = Jdk.stateOf(resumeTask);
        if (machine == null || machine.p == null) {
            inject(resumeTask, /* starts= */ state == ThreadState.STARTED);
            return null;
        }
        if (state == ThreadState.STARTED && !machine.isStartingShell()) {
            refuseIfClosed();
            machine.countStart();
        }
        return machine.readyHere(resumeTask, state) ? STAYS : null;
    }

    /// Keeps an entry without stack for a kernel entry. Needs no pin: nothing between reading the carrier and
    /// the store can unmount this thread.
    private void readyWithoutRoom(Runnable resumeTask) {
        if (Jdk.stateOf(resumeTask) == ThreadState.STARTED) {
            StackReserve.check(); // the start is refused
        }
        Machine machine = kernel.machineHere();
        if (machine != null) {
            machine.rescued = new Object[] {resumeTask, machine.rescued}; // an array: a constructor would be a call
            return;
        }
        // If this call overflows the stack, nothing has changed yet. After it the monitor samples within milliseconds.
        kernel.monitor.wake();
        Object[] before;
        do {
            before = rescued.get();
        } while (!rescued.compareAndSet(before, new Object[] {resumeTask, before}));
        try {
            kernel.monitor.wake(); // the monitor may have gone to sleep meanwhile
        } catch (StackOverflowError _) {
            // unlikely to matter: the monitor sleeps deeply only after a tenth of a second in which all was idle
        }
    }

    /// Queues the entries that were kept on a stack overflow. System monitor only.
    void drainRescued() {
        // The list is cleared only after its entries are queued, because queueing may throw OutOfMemoryError. If the
        // list has grown meanwhile, or queueing failed half-way, some entries are queued twice, which is harmless.
        Object[] first = rescued.get();
        if (first != null) {
            injectAll(first);
            rescued.compareAndSet(first, null);
        }
        for (Machine machine = kernel.machines.first(); machine != null; machine = machine.listNext) {
            Object[] cells = machine.rescued;
            if (cells != null) {
                injectAll(cells);
                machine.forgetRescued(cells);
            }
        }
    }

    private void injectAll(Object[] first) {
        for (Object[] cell = first; cell != null; cell = (Object[]) cell[1]) {
            inject((Runnable) cell[0], /* starts= */ false);
            kernel.counters.rescues.incrementAndGet();
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

    /// Not null if the time slice of the starting thread is over: it should yield.
    private @Nullable Object start(@Nullable Machine machine, Goroutine goroutine) {
        Processor processor = machine == null ? null : machine.p;
        if (machine == null || processor == null) {
            inject(goroutine, /* starts= */ true);
            return null;
        }
        refuseIfClosed();
        boolean sliceOver = processor.preempt;
        machine.startHere(goroutine);
        return sliceOver ? YES : null;
    }

    /// Called in the kernel of a machine with a processor, or after the start was counted: see [Kernel#mayEnd].
    private void refuseIfClosed() {
        if (kernel.isClosed()) {
            throw new RejectedExecutionException("scheduler " + kernel.name() + " is closed");
        }
    }

    /// Puts the entry into the global queue and starts an idle processor for it.
    /// Go: injectglist.
    private void inject(Runnable entry, boolean starts) {
        if (starts) {
            kernel.counters.externalStarts.incrementAndGet(); // before the entry can end, and before the kernel can
        }
        try {
            if (starts) {
                refuseIfClosed();
            }
            kernel.latency.injects(entry);
            kernel.putAndStart(entry);
        } catch (Throwable failure) {
            if (starts) {
                kernel.counters.externalStarts.decrementAndGet();
            }
            throw failure;
        }
    }

    /// Queues an entry that is in no other queue: on OutOfMemoryError it retries instead of failing. The caller has
    /// enough stack.
    void injectPatiently(Runnable entry) {
        while (true) {
            try {
                inject(entry, /* starts= */ false);
                return;
            } catch (OutOfMemoryError failure) {
                kernel.countRepair(failure);
                Jdk.parkCarrier(1_000_000);
            }
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

    // ---- yields

    /// Lets other runnable threads run first; returns at once if there are none. Any thread.
    /// Go: Gosched.
    public static void gosched() {
        StackReserve.check(); // the JDK crashes if a thread yields with less stack (docs/differences.md)
        if (!(Jdk.currentCarrierThread() instanceof Machine machine)
                || machine.seesOthers()
                || machine.kernel.entries.enter(YIELDS_TO_NOBODY, machine) == null) {
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
    void regainOrYield(Machine machine) {
        machine.givenAway = false;
        if (StackReserve.isThere() && enter(REGAIN, machine) == null) {
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
