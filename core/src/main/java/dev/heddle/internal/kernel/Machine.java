package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.ThreadState;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Source;
import dev.heddle.internal.trace.TraceBuffer;
import org.jspecify.annotations.Nullable;

/// A machine: the carrier thread that runs goroutines while it owns a processor.
/// Go: m, with mstart, schedule and execute.
public final class Machine extends ProcessorOwner implements KernelThread, TraceBuffer.Owner {
    /*
     * The loop.   Get a processor, find an entry, run it, and again. Each step is a class of its own with one instance
     *             per machine: FindRunnable and Thief find entries, Shells starts fresh goroutines, LockedThread, Blocking,
     *             Preemption and Rescue deal with what the mounted thread does. They belong to this thread; only what
     *             their comments say is shared.
     * In and out. The loop is in the kernel: the word is KERNEL, and no other thread can take the processor. execute
     *             leaves the kernel, runs the resume task, which mounts the thread and returns when it unmounts, and
     *             enters the kernel again. In between, the thread may enter it too, on its own stack (EntryPoints).
     *             A thread that yields comes back with the kernel already entered: it saves a CAS on a hot path.
     * The end.    The machine ends at the top of the loop, never elsewhere, because only there it holds nothing but its
     *             processor. It ends if it retires (Machines), if its thread was given a lower priority (Demoter), which
     *             cannot be undone, or if a goroutine ended while it was locked to it. It does not end while a thread
     *             is locked to it.
     */

    final Kernel kernel;
    final int id;

    final FindRunnable search;
    final Shells shells;
    final LockedThread locked;
    final Blocking blocking;
    final Preemption preemption;
    final Rescue rescue;

    // ---- the sleep and wake protocol: written by SpinCoordinator and IdleLists

    /// This machine holds a token of [SpinCoordinator], which alone writes it.
    boolean spinning;

    /// When the first nap of this search began; 0 before it. Written by [SpinCoordinator].
    long napsSince;

    /// Links of the idle list, and whether this machine is in it. Written by [IdleLists], under the scheduler lock.
    @Nullable
    Machine idlePrev;

    @Nullable
    Machine idleNext;

    boolean isIdle;

    // ---- for the system monitor

    /// What the operating system says of this thread.
    final ThreadProbe probe = new ThreadProbe(this);

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

    /// The thread has been given a lower priority because it is a free hog. Set by [Demoter], cleared by
    /// [DetachedMachines], both on the system monitor.
    volatile boolean isDemoted;

    /// The thread has a longer slice than others because it computed without a processor. Set by [Demoter]; cleared
    /// by this machine when the turn is over, and set again if there was no memory to restore the slice.
    volatile @Nullable Demoter sliceLengthenedBy;

    /// The code that the mounted thread runs has no preemption points, so waiting for one is useless. Cleared
    /// by the system monitor before it asks [PreemptionPoints], set by [#reportNoPoints].
    volatile boolean hasNoPoints;

    // ---- the loop's own state

    /// The resume task that runs now. Written by its own thread only; others read it racily, through [#mounted].
    private @Nullable Runnable current;

    /// The number of resume tasks that this machine has run. If it changed, the shell was unmounted in between.
    private long mounts;

    /// The machine ends at the top of its loop.
    private volatile boolean mustEnd;

    Machine(Kernel kernel, int id, String name) {
        super(kernel.pool(), name);
        this.kernel = kernel;
        this.id = id;
        this.search = new FindRunnable(this, kernel);
        this.shells = new Shells(this, kernel);
        this.locked = new LockedThread(this, kernel);
        this.blocking = new Blocking(this, kernel);
        this.preemption = new Preemption(this, kernel);
        this.rescue = new Rescue(this, kernel);
    }

    // ---- the loop

    /// Go: mstart, schedule.
    @Override
    public void run() {
        Runnable entry = null;
        try {
            kernel.machineCounts.began(); // first: ended() is the counterpart
            probe.begin();
            kernel.allMachines.add(this);
            kernel.tracing.join(this);
            note(EventKind.M_BEGIN);
            if (!kernel.machines.acquirePending(this)) {
                kernel.machines.stop(this);
            }
            while (!mustEnd || locked.thread() != null) {
                if (sliceLengthenedBy != null) {
                    restoreSlice();
                }
                if (locked.thread() != null) {
                    entry = locked.await();
                    search.came(Source.MAIL);
                } else if (p != null || kernel.machines.acquireAfterLoss(this)) {
                    entry = search.find();
                } else {
                    break;
                }
                if (entry != null) {
                    execute(entry);
                    entry = null;
                }
            }
            leave();
        } catch (Throwable bug) {
            kernel.machines.died(this, bug, entry);
        } finally {
            endTrace();
            hasEnded = true;
            kernel.machineCounts.ended();
        }
    }

    /// Runs one entry.
    /// Go: execute.
    private void execute(Runnable entry) {
        Processor processor = owned();
        kernel.latency.runs(entry);
        Runnable task = entry;
        if (entry instanceof Goroutine goroutine) {
            Runnable shell = shells.start(goroutine);
            if (shell == null) {
                processor.stall(goroutine);
                return;
            }
            task = shell;
        } else if (kernel.locked.isAny() && kernel.locked.sendToOwner(this, entry)) {
            return; // the locked thread runs on its own machine, with our processor
        } else if (!isRunnable(Jdk.stateOf(entry))) {
            return; // queued twice: it has already run, or it is suspended and will be queued again
        }
        if (!search.inheritsTime()) {
            processor.beginSlice();
        }
        TraceBuffer events = trace;
        if (events != null) {
            kernel.tracing.starts(this, events, entry, task);
        }
        processor.countSwitch();
        mounts++;
        current = task;
        Throwable failure = null;
        showQueuedWork(!preemption.canSpin(processor));
        rescue.pinsOwed = 0; // the pins of the previous thread left with that thread
        exitKernel();
        try {
            task.run();
        } catch (Throwable e) {
            failure = e;
        }
        if (depth == 0) { // otherwise the thread yielded, and EntryPoints left the kernel entered
            enterKernel();
        }
        events = trace;
        if (events != null) {
            kernel.tracing.ran(events, task);
        }
        current = null;
        blocking.isGivenAway = false;
        if (Jdk.stateOf(task) == ThreadState.TERMINATED) {
            ended(Jdk.threadOf(task));
        } else if (failure != null) {
            rescue.repair(task);
        }
    }

    /// Whether a thread in this state waits to be run.
    static boolean isRunnable(int state) {
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
        if (thread == locked.thread()) {
            locked.unlockFully();
            mustEnd = true; // Go: a goroutine that exits locked takes its thread with it
        }
    }

    /// A goroutine or thread that ran here has ended. In the kernel.
    void countEnd() {
        Processor processor = p;
        if (processor != null) {
            processor.ended++;
        } else {
            kernel.counters.strayEnds.incrementAndGet();
        }
    }

    private void restoreSlice() {
        Demoter demoter = sliceLengthenedBy;
        sliceLengthenedBy = null;
        if (demoter != null) {
            demoter.restoreSlice(this);
        }
    }

    /// Ends this machine and hands off its processor.
    private void leave() {
        kernel.spin.dropToken(this);
        rescue.drain();
        if (p != null) {
            kernel.machines.releaseAndHandOff(this);
        }
    }

    // ---- for the classes around the loop

    /// Gives a processor, and perhaps a spinning token, to this parked machine. Holds the scheduler lock; the
    /// caller unparks the machine after unlocking.
    void grantLocked(Processor processor, boolean withToken) {
        kernel.spin.bequeathToken(this, withToken);
        grantLocked(processor);
    }

    /// Whether a shell may run another goroutine here before the loop has its turn. In the kernel.
    boolean mayRunMore() {
        return locked.thread() == null && !kernel.isStopping() && !mustEnd;
    }

    /// Ends this machine after the current turn of its goroutine.
    void endSoon() {
        mustEnd = true;
    }

    boolean mustEnd() {
        return mustEnd;
    }

    long mounts() {
        return mounts;
    }

    // ---- declared blocking operations, called by the JDK

    @Override
    public boolean beginBlocking() {
        return blocking.begin();
    }

    @Override
    public void endBlocking() {
        TraceBuffer events = trace;
        Runnable unmounting = current;
        if (events != null && unmounting != null && Thread.currentThread() == this) {
            kernel.tracing.unmounted(this, events, unmounting); // here the JDK has not yet said that it is parked
        }
        blocking.end();
    }

    // ---- the recording of events

    /// An event of this machine that has no numbers. On its thread.
    void note(EventKind kind) {
        TraceBuffer events = trace;
        if (events != null) {
            events.note(kind, 0, 0, 0, 0);
        }
    }

    /// An event of this machine with up to two numbers. On its thread.
    void note(EventKind kind, long a, long b) {
        TraceBuffer events = trace;
        if (events != null) {
            events.note(kind, a, b, 0, 0);
        }
    }

    /// This machine has stolen `count` entries. On its thread.
    void noteTheft(Processor victim, int count, boolean yielded) {
        TraceBuffer events = trace;
        if (events != null) {
            events.note(EventKind.STEAL, victim.id, count, yielded ? 1 : 0, 0);
        }
    }

    private void endTrace() {
        TraceBuffer events = trace;
        if (events != null) {
            events.note(EventKind.M_END, 0, 0, 0, 0);
            events.close();
        }
    }

    @Override
    public int tracedProcessor() {
        Processor processor = p;
        int state = Word.state(word());
        return processor == null || state == Word.LOST || state == Word.NONE ? -1 : processor.id;
    }

    @Override
    public long tracedThread() {
        Thread thread = Thread.currentThread();
        return thread == this ? 0 : thread.threadId();
    }

    // ---- for observers

    /// Whether a thread is mounted, as far as another thread can see.
    boolean isMounted() {
        return current != null;
    }

    /// The resume task of the thread that runs here, as far as another thread can see.
    @Nullable
    Runnable mounted() {
        return current;
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

    @Override
    public String toString() {
        return "M" + id + "[" + Word.toString(word()) + (spinning ? ", spinning" : "") + "]";
    }
}
