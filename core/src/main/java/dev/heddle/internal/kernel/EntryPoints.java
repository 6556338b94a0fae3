package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.Pollers;
import dev.heddle.internal.jdk.ThreadState;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Every way into the kernel from user code, and the one frame that all of them pass. Go: ready, newproc, Gosched,
/// entersyscallblock, exitsyscall, LockOSThread.
final class EntryPoints {
    /*
     * Shape.      1. StackReserve: as much stack as any section needs, or StackOverflowError and nothing has changed
     *             2. pin: until here the carrier may change
     *             3. the machine underneath, if it is one of this kernel's; then its word becomes KERNEL
     *             4. the section: bounded, linked, without user code
     *             5. the word becomes USER, unpin
     *             6. after a failure: depth and word as they were, by stores. Calls cannot do that: the failure may be
     *                that there is no stack to call with. The pin, which only a call undoes, is owed until the next
     *                entry.
     * Why both.   1 makes 6 rare: OutOfMemoryError, or a section that needs more than the reserve, which is counted
     *             (KernelCounters.cutShort) and a bug. 6 alone saves the lock and the P, not a section cut in two.
     * Not here.   beginBlocking and endBlocking (ProcessorOwner): one CAS, with stores around it. checkpoint, maySpin:
     *             reads.
     * Without room. What starts something is refused: the caller has the StackOverflowError. To get a processor back
     *             is left out. That a thread became runnable must be kept (the JDK tells it once): a store puts it on
     *             the machine's list of rescued entries, which its next entry, its loop or the system monitor empties,
     *             whoever is first; who has no machine puts it on the kernel's.
     * Sources.    docs/adr/0005-one-way-into-the-kernel.md. Checked by EntryDepthTest, EntryShapeTest.
     */

    // What to do in the kernel.
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

    /// What sections say that have nothing else to return.
    private static final Object YES = new Object();

    /// The thread that entered is unmounted by now: the kernel stays entered. See [Machine#readyHere].
    private static final Object STAYS = new Object();

    private final Kernel kernel;

    /// Threads that became runnable where there was neither stack nor machine: cells of an entry and the next cell.
    private final AtomicReference<Object @Nullable []> rescued = new AtomicReference<>();

    EntryPoints(Kernel kernel) {
        this.kernel = kernel;
        StackReserve.check(); // initialised: a class whose initialiser meets the end of a stack is lost for good
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
        } catch (Throwable failure) { // from here to the end of the block nothing is called
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

    /// A thread of this scheduler became runnable. The JDK's `execute`. Any thread.
    void ready(Runnable resumeTask) {
        if (!StackReserve.isThere()) {
            readyWithoutRoom(resumeTask);
        } else if (Jdk.stateOf(resumeTask) != ThreadState.STARTED || !isAdopted(Jdk.threadOf(resumeTask))) {
            enter(READY, resumeTask);
        }
    }

    /// Whether the thread, about to start, is one that need not run: machines do what it is for.
    private boolean isAdopted(Thread thread) {
        if (!Pollers.isSubPoller(thread)) {
            return false;
        }
        if (DefaultScheduler.installed() == kernel.pool() && kernel.sleeper.adopt(thread)) {
            return true;
        }
        kernel.counters.strayEnds.incrementAndGet(); // at once: it never ends, and is nobody's goroutine
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

    /// No pin: nothing between the look at the carrier and the store could unmount this thread.
    private void readyWithoutRoom(Runnable resumeTask) {
        if (Jdk.stateOf(resumeTask) == ThreadState.STARTED) {
            StackReserve.check(); // the start is refused
        }
        Machine machine = kernel.machineHere();
        if (machine != null) {
            machine.rescued = new Object[] {resumeTask, machine.rescued}; // an array, since a constructor is a call
            return;
        }
        kernel.monitor.wake(); // if the stack ends here, nothing has changed; now it looks again within milliseconds
        Object[] before;
        do {
            before = rescued.get();
        } while (!rescued.compareAndSet(before, new Object[] {resumeTask, before}));
        try {
            kernel.monitor.wake(); // it may have gone to sleep meanwhile
        } catch (StackOverflowError _) {
            // but hardly: it does so after having looked around for a tenth of a second
        }
    }

    /// Queues what was kept for want of stack. System monitor only.
    void drainRescued() {
        // Taken off the list only when queued, since there may be no memory. If it has grown meanwhile, or was cut
        // short, some are queued twice, which is harmless.
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

    /// Starts a goroutine. Any thread. Go: newproc.
    void spawn(Goroutine goroutine) {
        StackReserve.check();
        if (enter(START, goroutine) != null) {
            yieldSlice();
        }
    }

    /// Something if the slice of the thread that starts it is over.
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

    /// In the kernel of a machine with a processor, or after the start was counted: see [Kernel#mayEnd].
    private void refuseIfClosed() {
        if (kernel.isClosed()) {
            throw new RejectedExecutionException("scheduler " + kernel.name() + " is closed");
        }
    }

    /// To the global queue, and an idle processor is started for it. Go: injectglist.
    private void inject(Runnable entry, boolean starts) {
        if (starts) {
            kernel.counters.externalStarts.incrementAndGet(); // before it can end, and before the kernel can
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

    /// For entries that are nowhere else: waits for memory instead of failing. With stack enough.
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

    /// Lets others run first; returns at once where there are none. Any thread. Go: Gosched.
    static void gosched() {
        StackReserve.check(); // the JDK crashes when a thread yields with less (docs/differences.md)
        if (!(Jdk.currentCarrierThread() instanceof Machine machine)
                || machine.seesOthers()
                || machine.kernel.entries.enter(YIELDS_TO_NOBODY, machine) == null) {
            Thread.yield();
        }
    }

    /// Yields if that can be done: nobody asked the user.
    static void yieldSlice() {
        if (Thread.currentThread().isVirtual() && StackReserve.isThere()) {
            try {
                Thread.yield();
            } catch (OutOfMemoryError | StackOverflowError _) {
                // no memory to yield with, or no stack to walk so many frames: goes on, and is asked again
            }
        }
    }

    // ---- blocking

    /// The current thread is about to block: its processor goes to others at once. Any thread. Go:
    /// entersyscallblock.
    static void giveProcessorAway() {
        StackReserve.check();
        if (Jdk.currentCarrierThread() instanceof Machine machine && Thread.currentThread() != machine) {
            machine.kernel.entries.enter(GIVE_PROCESSOR_AWAY, machine);
        }
    }

    /// User code came back from blocking: goes on if there is a processor for it, else waits its turn in the
    /// global queue; a pinned thread cannot, nor one without stack, and goes on without one until its next kernel
    /// entry (N15). On a virtual thread's stack, on that machine.
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
