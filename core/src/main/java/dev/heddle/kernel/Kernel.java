package dev.heddle.kernel;

import dev.heddle.event.SchedulerStats;
import dev.heddle.jdk.CarrierPool;
import dev.heddle.jdk.DefaultScheduler;
import dev.heddle.jdk.Jdk;
import dev.heddle.jdk.Pollers;
import dev.heddle.jdk.ThreadState;
import dev.heddle.procs.ProcsWatcher;
import dev.heddle.queue.StealOrder;
import dev.heddle.queue.StealPolicy;
import dev.heddle.queue.TimerEntry;
import dev.heddle.queue.TimerHeap;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A scheduler's shared state and the ways into it. Go: sched, with newproc, ready, injectglist, startm,
/// handoffp.
///
/// Lock order: the world semaphore, then kernel entry, then the scheduler lock or one timer heap's; never two.
/// Under the scheduler lock nothing leaves the kernel: wakes and starts are collected and done after unlocking.
public final class Kernel {

    private final KernelOptions options;
    private final long origin = System.nanoTime();
    private final KernelPool pool;
    private final KernelLock lock = new KernelLock();

    final KernelCounters counters = new KernelCounters();
    final LatencySampler latency = new LatencySampler();
    final SharedQueue shared = new SharedQueue(lock);
    final IdleLists idle = new IdleLists();
    final SpinCoordinator spin = new SpinCoordinator(this);
    final MachineList machines = new MachineList();
    final TimerSleeper sleeper = new TimerSleeper(this);
    final LockedThreads locked = new LockedThreads(this);
    final World world = new World(this);
    final DeadlockDetector deadlock = new DeadlockDetector(this);
    final @Nullable Placement placement;
    final Goroutines goroutines;
    final Starter starter;
    final SystemMonitor monitor;

    // Machines that exist, and those that have been made and not begun. Under the scheduler lock.
    private int machineCount;
    private int startingMachines;
    private int nextMachineId;

    /// Machines parked for the thread that is locked to them. Under the scheduler lock.
    int lockedIdleMachines;

    /// Replaced while the world is stopped.
    private volatile ProcessorSet processors = new ProcessorSet(new Processor[0], new StealOrder(1), null);

    /// Machines that are kept idle for the next hand-off: one, once [#keepSpareMachine] was called, or as many as there
    /// are processors until `sparesUntil`.
    private volatile boolean keepsSpareMachine;

    private volatile long sparesUntil;
    private volatile boolean stopping;
    private volatile boolean closed;
    private volatile boolean mayNap = true;
    private volatile @Nullable PreemptionPoints preemptionPoints;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable OutlivedTimers outlived;

    public Kernel(KernelOptions options) {
        this.options = options;
        placement = options.pinning() == null ? null : new Placement(options.pinning());
        pool = new KernelPool(this);
        goroutines = new Goroutines(this);
        starter = new Starter(this, options.name());
        monitor = new SystemMonitor(this, options.name());
        world.resize(options.procs().decision().procs());
        ColdStart.prepare(pool);
        starter.start();
        monitor.start();
    }

    // ---- what others ask

    public CarrierPool pool() {
        return pool;
    }

    public KernelPool kernelPool() {
        return pool;
    }

    public String name() {
        return options.name();
    }

    /// From now on every virtual thread of the JVM is this kernel's; there has been none before.
    public void becomeDefault() {
        starter.prepareDefault();
    }

    public int procs() {
        return processors.count();
    }

    ProcessorSet processors() {
        return processors;
    }

    void setProcessors(ProcessorSet set) {
        processors = set;
    }

    StealPolicy stealPolicy() {
        return options.steal();
    }

    long idleMachineNanos() {
        return options.idleNanos();
    }

    int maxMachines() {
        return options.maxMachines();
    }

    int machineCount() {
        return machineCount;
    }

    boolean mayNap() {
        return mayNap;
    }

    /// Follows the CPUs and the quota of the machine, at most once a second. System monitor only.
    void followLimits() {
        int wanted = options.procs().poll(System.nanoTime());
        mayNap = !options.procs().spinningWastesQuota(); // naps would only use the quota up (N13)
        if (wanted != ProcsWatcher.UNCHANGED) {
            starter.signal(); // the monitor never stops the world itself: it could not help anybody meanwhile
        }
    }

    /// Applies what [#followLimits] found. Starter only.
    void applyLimits() {
        if (options.procs().decision().procs() != procs()) {
            world.followDecision();
        }
    }

    public ProcsWatcher limits() {
        return options.procs();
    }

    boolean isStopping() {
        return stopping;
    }

    void setStopping(boolean now) {
        stopping = now;
    }

    /// Nanoseconds since this kernel was made: never negative, never wraps.
    long now() {
        return System.nanoTime() - origin;
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /// Whether some caller holds the scheduler lock.
    boolean isLocked() {
        return lock.isHeld();
    }

    /// The machine under this thread if it is one of this kernel's. Pinned.
    @Nullable
    Machine machineHere() {
        return Jdk.currentCarrierThread() instanceof Machine machine && machine.kernel == this ? machine : null;
    }

    // ---- the hooks

    /// A thread of this scheduler became runnable. The JDK's `execute`. Any thread.
    ///
    /// Kernel code at the end of somebody's stack: if the stack ends inside, the entry is kept in the machine's
    /// rescue array and the ownership word put right, by plain stores (N6).
    void ready(Runnable resumeTask) {
        int state = Jdk.stateOf(resumeTask);
        if (state == ThreadState.STARTED && Pollers.isSubPoller(Jdk.threadOf(resumeTask))) {
            if (DefaultScheduler.installed() == pool && sleeper.adopt(Jdk.threadOf(resumeTask))) {
                return; // never runs: machines do what it is for
            }
            counters.strayEnds.incrementAndGet(); // at once: it never ends, and is nobody's goroutine
        }
        Jdk.pin();
        try {
            Machine machine = machineHere();
            if (machine == null) {
                readyWithoutProcessor(resumeTask, state);
                return;
            }
            int depthBefore = machine.depth();
            try {
                machine.enterKernel();
                boolean staysInside = false;
                if (machine.p == null) {
                    readyWithoutProcessor(resumeTask, state);
                } else {
                    if (state == ThreadState.STARTED && !machine.isStartingShell()) {
                        refuseIfClosed();
                        machine.countStart();
                    }
                    staysInside = machine.readyHere(resumeTask, state);
                }
                if (!staysInside) {
                    machine.exitKernel();
                }
            } catch (StackOverflowError overflow) {
                if (!machine.rescue(resumeTask)) {
                    throw overflow;
                }
                machine.abandonKernel(depthBefore);
            } catch (Throwable failure) {
                machine.abandonKernel(depthBefore);
                throw failure;
            }
        } finally {
            Jdk.unpin();
        }
    }

    private void readyWithoutProcessor(Runnable resumeTask, int state) {
        if (state == ThreadState.STARTED) {
            refuseIfClosed();
        }
        inject(resumeTask, state == ThreadState.STARTED);
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new RejectedExecutionException("scheduler " + options.name() + " is closed");
        }
    }

    /// Starts a goroutine. Any thread. Go: newproc.
    public void spawn(Goroutine goroutine) {
        refuseIfClosed();
        boolean sliceOver = false;
        Jdk.pin();
        try {
            Machine machine = machineHere();
            if (machine == null) {
                inject(goroutine, /* starts= */ true);
                return;
            }
            int depthBefore = machine.depth();
            try {
                machine.enterKernel();
                Processor processor = machine.p;
                if (processor == null) {
                    inject(goroutine, /* starts= */ true);
                } else {
                    sliceOver = processor.preempt;
                    machine.startHere(goroutine);
                }
                machine.exitKernel();
            } catch (Throwable failure) {
                machine.abandonKernel(depthBefore);
                throw failure;
            }
        } finally {
            Jdk.unpin();
        }
        if (sliceOver) {
            yieldSlice();
        }
    }

    /// A scheduling point of the API: a thread whose time slice is over, or whose machine lost its processor,
    /// gives way. Go: the check in function prologues.
    public static void checkpoint() {
        if (Jdk.currentCarrierThread() instanceof Machine machine && machine.shouldYieldAtCheckpoint()) {
            yieldSlice();
        }
    }

    /// See [Machine#maySpin].
    static boolean maySpin() {
        return Jdk.currentCarrierThread() instanceof Machine machine && machine.maySpin();
    }

    /// Lets others run first; returns at once where there are none. Any thread. Go: Gosched.
    static void gosched() {
        if (!(Jdk.currentCarrierThread() instanceof Machine machine)
                || machine.seesOthers()
                || !machine.yieldsToNobody()) {
            Thread.yield();
        }
    }

    static void yieldSlice() {
        if (Thread.currentThread().isVirtual()) {
            try {
                Thread.yield();
            } catch (OutOfMemoryError _) {
                // no memory to yield with: goes on, and is asked again
            }
        }
    }

    /// Where user code can be made to yield; null if nowhere.
    @Nullable
    PreemptionPoints preemptionPoints() {
        return preemptionPoints;
    }

    /// For the one kernel that runs every virtual thread of the JVM.
    public void setPreemptionPoints(PreemptionPoints points) {
        preemptionPoints = points;
    }

    /// The shell's kernel step between two goroutines.
    @Nullable
    Goroutine nextForShell(Shell shell) {
        Jdk.pin();
        try {
            Machine machine = machineHere();
            if (machine == null) {
                throw new SchedulerBug("a shell runs on a foreign carrier: " + Jdk.currentCarrierThread());
            }
            machine.enterKernel();
            Goroutine next = machine.nextForShell(shell);
            machine.exitKernel();
            return next;
        } finally {
            Jdk.unpin();
        }
    }

    // ---- timers

    /// Runs `command` on a carrier after the delay: it must be short and must not block. Any thread.
    public KernelTimer schedule(Runnable command, long delayNanos) {
        KernelTimer timer = new KernelTimer(this, TimerEntry.deadline(now(), delayNanos), command);
        Jdk.pin();
        try {
            Machine machine = machineHere();
            if (machine == null) {
                addTimer(timer, null);
                return timer;
            }
            int depthBefore = machine.depth();
            try {
                machine.enterKernel();
                addTimer(timer, machine);
                machine.exitKernel();
            } catch (Throwable failure) {
                machine.abandonKernel(depthBefore);
                throw failure;
            }
        } finally {
            Jdk.unpin();
        }
        return timer;
    }

    private void addTimer(KernelTimer timer, @Nullable Machine machine) {
        Processor own = machine == null ? null : machine.p;
        TimerHeap.Push push = own == null ? TimerHeap.Push.CLOSED : own.timers.push(timer);
        while (push == TimerHeap.Push.CLOSED) { // any live processor will do; a destroyed one's heap is closed
            Processor[] all = processors.all();
            push = all[(int) Math.floorMod(timer.when(), (long) all.length)].timers.push(timer);
        }
        if (push == TimerHeap.Push.EARLIEST && !sleeper.wakeIfLaterThan(timer.when())) {
            if (machine != null && own != null) {
                spin.wakeProcessor(machine, /* onlyRunNext= */ false);
            } else {
                startIdleProcessor();
            }
        }
    }

    /// When the earliest timer of all processors is due.
    long earliestTimer() {
        long earliest = Long.MAX_VALUE;
        for (Processor processor : processors.all()) {
            earliest = Math.min(earliest, processor.timers.nextWhen());
        }
        return earliest;
    }

    boolean isTimerDue(Processor processor) {
        long next = processor.timers.nextWhen();
        return next != Long.MAX_VALUE && next <= now();
    }

    // ---- work from someone without a processor

    /// To the global queue, and an idle processor is started for it. Go: injectglist.
    private void inject(Runnable entry, boolean starts) {
        StackProbe.check(); // before the first change: see N6
        if (starts) {
            counters.externalStarts.incrementAndGet(); // before it can end
        }
        latency.injects(entry);
        try {
            shared.lockAndPut(entry);
        } catch (Throwable failure) {
            if (starts) {
                counters.externalStarts.decrementAndGet();
            }
            throw failure;
        }
        counters.injections.lazySet(counters.injections.getPlain() + 1); // the lock keeps other writers out
        startIdleProcessorLocked();
    }

    /// For entries that are nowhere else: waits for memory instead of failing.
    void injectPatiently(Runnable entry) {
        while (true) {
            try {
                inject(entry, /* starts= */ false);
                return;
            } catch (OutOfMemoryError failure) {
                countRepair(failure);
                Jdk.parkCarrier(1_000_000);
            }
        }
    }

    /// Starts a machine for an idle processor, if there is one.
    void startIdleProcessor() {
        lock.lock();
        startIdleProcessorLocked();
    }

    /// Holds the lock, and unlocks.
    private void startIdleProcessorLocked() {
        Processor processor = stopping ? null : idle.take(null);
        if (processor == null) {
            lock.unlock();
            VarHandle.fullFence(); // the entry before, the napper after: see SpinCoordinator, Naps
            spin.endNap(); // the only machine that could look has a processor already
        } else {
            startMachine(processor, /* withToken= */ false);
        }
    }

    /// The safety net caught work that waits beside an idle processor. Looks again, under the lock, before it counts.
    void startForgottenWork() {
        lock.lock();
        if (idle.idleProcessors() == 0 || spin.spinning() != 0 || !hasQueuedWork()) {
            lock.unlock();
            return;
        }
        counters.safetyNet.incrementAndGet();
        startIdleProcessorLocked();
    }

    // ---- machines for processors

    /// A spinning token was taken: finds a processor and a machine for it, or gives it back. SpinCoordinator,
    /// step S5.
    void startSpinner(Machine self) {
        lock.lock();
        Processor processor = stopping ? null : idle.take(null);
        if (processor == null) {
            // Both before unlocking. Who releases a processor after us must see the need; and if the token were still
            // out, a submission could count on it after the machine that answered the need has come and gone.
            spin.needOneMore();
            spin.giveBackToken();
            lock.unlock();
        } else {
            spin.clearNeed();
            self.countWake();
            startMachine(processor, /* withToken= */ true);
        }
    }

    /// Gives the processor to an idle machine, or queues it for a machine to be made. Holds the lock, and
    /// unlocks. Go: startm.
    void startMachine(Processor processor, boolean withToken) {
        processor.status = Processor.Status.RUNNING;
        Machine machine = idle.takeMachine();
        if (machine == null) {
            boolean mayMakeOne = machineCount < options.maxMachines();
            idle.putPending(processor, withToken);
            lock.unlock();
            if (!mayMakeOne) {
                boolean _ = sleeper.wakeIfLaterThan(Long.MIN_VALUE); // it is the only machine to be had
            }
            starter.signal();
            spin.endNap(); // a napper comes sooner than a new thread
        } else {
            machine.grant(processor, withToken);
            boolean wasLast = keepsSpareMachine && idle.idleMachines() == 0;
            lock.unlock();
            Jdk.unparkCarrier(machine);
            if (wasLast) {
                starter.signal(); // the next hand-off should find a machine
            }
        }
        monitor.wake();
    }

    /// A processor that was taken from its machine goes on with another one, if there is anything to do. The
    /// caller owns it. Go: handoffp.
    void handOff(Processor processor) {
        lock.lock();
        if (stopping) {
            processor.status = Processor.Status.STOPPED;
            lock.unlock();
            return;
        }
        boolean lastOne = spin.spinning() == 0 && idle.idleProcessors() == 0;
        if (lastOne || processor.hasWork() || processor.stalled != null || !shared.isEmpty()) {
            startMachine(processor, /* withToken= */ false);
            return;
        }
        processor.clearDead();
        idle.put(processor);
        lock.unlock();
        long next = processor.timers.nextWhen();
        boolean timerAlone = next != Long.MAX_VALUE && !sleeper.wakeIfLaterThan(next);
        if (timerAlone
                || sleeper.needsPoller() // while a processor is idle some machine waits for sockets
                || spin.needSpinning() != 0) { // SpinCoordinator, R4: announced while this one was not idle
            startIdleProcessor();
        }
    }

    /// The machine gives up the processor it owns, in the kernel.
    void handOffOwn(Machine machine) {
        lock.lock();
        Processor processor = machine.release();
        lock.unlock();
        handOff(processor);
    }

    /// An idle processor, `preferred` if it is idle; null if there is none or the world stops. The caller owns
    /// it.
    @Nullable
    Processor takeIdle(@Nullable Processor preferred) {
        lock.lock();
        Processor processor = stopping ? null : idle.take(preferred);
        lock.unlock();
        return processor;
    }

    /// How many machines have to be made: processors wait, and no machine is on its way to them; or threads
    /// block one after the other, and the next hand-off should not have to wait for a machine.
    int machinesWanted() {
        int spares = now() < sparesUntil ? procs() : keepsSpareMachine ? 1 : 0;
        lock.lock();
        int wanted = idle.pendingProcessors() - startingMachines;
        if (wanted <= 0 && machineCount < options.maxMachines() && idle.idleMachines() - wanted < spares) {
            wanted = 1;
        }
        lock.unlock();
        return wanted;
    }

    /// A machine could not be made: those in reserve can wait.
    void keepNoSpareMachines() {
        sparesUntil = 0;
        keepsSpareMachine = false;
    }

    /// From now on a machine is kept idle, so that a hand-off need not wait for a thread to be made. System monitor only.
    void keepSpareMachine() {
        if (!keepsSpareMachine) {
            keepsSpareMachine = true;
            starter.signal();
        }
    }

    /// A processor was handed off because its thread blocks or computes; others may follow until then. System monitor
    /// only.
    void keepSpareMachines(long until) {
        keepsSpareMachine = true;
        sparesUntil = until;
        starter.signal();
    }

    /// Reserves the id of a new machine; 0 if there may be no more.
    int reserveMachine() {
        lock.lock();
        int id = 0;
        if (machineCount < options.maxMachines()) {
            machineCount++;
            startingMachines++;
            id = ++nextMachineId;
        }
        lock.unlock();
        return id;
    }

    /// The reserved machine could not be started.
    void unreserveMachine() {
        lock.lock();
        machineCount--;
        startingMachines--;
        lock.unlock();
    }

    void machineBegan(Machine machine) {
        machines.add(machine);
        lock.lock();
        startingMachines--;
        lock.unlock();
    }

    void machineEnded(Machine machine) {
        lock.lock();
        machineCount--;
        lock.unlock();
    }

    /// A machine that idled for long wants to end: it may unless it was just given a processor, or is the last
    /// spare one.
    boolean retire(Machine machine) {
        lock.lock();
        boolean may = machine.isIdle && (idle.idleMachines() > 1 || isEnded());
        if (may) {
            idle.remove(machine);
        }
        lock.unlock();
        return may;
    }

    /// The loop of a machine failed: a bug of ours. It is reported, and everything that the machine held goes on without
    /// it: its processor, token, entries and roles.
    void machineDied(Machine machine, Throwable bug) {
        sleeper.resign(machine);
        machine.abandonDuties(); // first: there may be no memory to report with
        try {
            reportBug("machine " + machine + " failed", bug);
        } catch (OutOfMemoryError | StackOverflowError _) {
            // the processor goes on without a report
        }
    }

    /// Reports a bug of ours. On a thread of its own: printing takes locks of the JDK's.
    void reportBug(String what, Throwable bug) {
        Thread reporter = new Thread(
                null,
                () -> {
                    System.err.println("heddle: " + what + ", this is a bug in Heddle:");
                    bug.printStackTrace();
                },
                options.name() + "-bug",
                0,
                /* inheritInheritableThreadLocals= */ false);
        reporter.setDaemon(true);
        reporter.start();
    }

    /// Whether no machine has anything to do. The one that sleeps for timers and sockets is idle, too: what it
    /// sleeps for is asked elsewhere.
    boolean areAllMachinesIdle() {
        lock.lock();
        boolean all = startingMachines == 0
                && idle.pendingProcessors() == 0
                && machineCount == idle.idleMachines() + lockedIdleMachines + (sleeper.isTaken() ? 1 : 0);
        lock.unlock();
        return all;
    }

    /// A number that grows whenever anything was made runnable or run.
    long submissions() {
        long sum = counters.injections.get();
        for (Processor processor : world.everyProcessor()) {
            sum += processor.switches + processor.started;
        }
        return sum;
    }

    // ---- looking for work without a processor: SpinCoordinator, step R4

    /// Work in some queue other than a runNext: what a napper must not sleep through.
    boolean hasVisibleWork() {
        if (!shared.isEmpty() || stopping) {
            return true;
        }
        for (Processor processor : processors.all()) {
            if (processor.visibleWork() > 0) {
                return true;
            }
        }
        return false;
    }

    /// Work in any queue.
    boolean hasQueuedWork() {
        if (!shared.isEmpty()) {
            return true;
        }
        for (Processor processor : processors.all()) {
            if (processor.hasWork()) {
                return true;
            }
        }
        return false;
    }

    /// Work anywhere, due timers included.
    boolean hasAnyWork() {
        if (hasQueuedWork()) {
            return true;
        }
        long earliest = earliestTimer();
        return earliest != Long.MAX_VALUE && earliest <= now();
    }

    // ---- blocking

    /// Runs an operation that will block: the processor is given away at once, and asked for afterwards. Any
    /// thread. Go: entersyscallblock, exitsyscall.
    public static <T> T blocking(Callable<T> operation) throws Exception {
        giveProcessorAway();
        try {
            return operation.call();
        } finally {
            if (Jdk.currentCarrierThread() instanceof Machine machine) {
                machine.kernel.regainOrYield(machine);
            }
        }
    }

    private static void giveProcessorAway() {
        Jdk.pin();
        try {
            if (Jdk.currentCarrierThread() instanceof Machine machine && Thread.currentThread() != machine) {
                machine.enterKernel();
                if (machine.p != null) {
                    machine.giveAway();
                }
                machine.exitKernel();
            }
        } finally {
            Jdk.unpin();
        }
    }

    /// User code came back from blocking: goes on if there is a processor for it, else waits its turn in the
    /// global queue; a pinned thread cannot, and goes on without one until its next kernel entry (N15).
    void regainOrYield(Machine machine) {
        boolean regained;
        Jdk.pin();
        try {
            regained = machine.p != null || machine.regain();
        } finally {
            Jdk.unpin();
        }
        if (!regained) {
            yieldSlice();
        }
    }

    // ---- threads locked to a machine

    /// Go: runtime.LockOSThread. On a virtual thread of this scheduler.
    public void lockThread() {
        Jdk.pin();
        try {
            machineUnderThread().lockThread(Thread.currentThread());
        } finally {
            Jdk.unpin();
        }
    }

    /// Go: runtime.UnlockOSThread.
    public void unlockThread() {
        Jdk.pin();
        try {
            machineUnderThread().unlockThread(Thread.currentThread());
        } finally {
            Jdk.unpin();
        }
    }

    private Machine machineUnderThread() {
        Machine machine = machineHere();
        if (machine == null || !Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("only a goroutine or virtual thread of the scheduler can be locked to its"
                    + " carrier; this is " + Thread.currentThread());
        }
        return machine;
    }

    /// Changes the number of processors, live. Any thread. Go: GOMAXPROCS, procresize.
    public void setProcs(int procs) {
        options.procs().setExplicit(KernelOptions.checkProcs(procs), "Go.gomaxprocs(" + procs + ")");
        world.followDecision();
    }

    /// Goes back to what CPUs and quota give, and follows them. Go: SetDefaultGOMAXPROCS.
    public void setDefaultProcs() {
        options.procs().setDefault();
        world.followDecision();
    }

    // ---- the main goroutine

    /// Runs `body` as the main goroutine and waits for it, watching for deadlock. On a platform thread. Go:
    /// runtime.main.
    ///
    /// @throws Throwable what the body threw
    public void runMain(Goroutine.Body body) throws Throwable {
        MainGoroutine main = new MainGoroutine(body, deadlock);
        spawn(new Goroutine(main));
        deadlock.begin(Thread.currentThread());
        try {
            main.await();
        } finally {
            deadlock.end();
        }
    }

    // ---- failures and figures

    void countRepair(Throwable failure) {
        counters.repairs.incrementAndGet();
    }

    void goroutineFailed(Thread thread, Throwable failure) {
        try {
            Thread.UncaughtExceptionHandler handler = options.handler();
            if (handler == null) {
                handler = thread.getUncaughtExceptionHandler();
            }
            handler.uncaughtException(thread, failure);
        } catch (Throwable _) {
            // a handler that fails is ignored, as by the JVM
        }
    }

    void timerFailed(Machine machine, Throwable failure) {
        countRepair(failure);
        goroutineFailed(machine, failure);
    }

    /// Goroutines and virtual threads of this scheduler that have started and not ended.
    public long live() {
        Processor[] every = world.everyProcessor();
        long ends = counters.strayEnds.get();
        for (Processor processor : every) {
            ends += processor.ended;
        }
        VarHandle.acquireFence(); // ends first: the difference is never too small
        return started(every) - ends;
    }

    /// Goroutines and virtual threads of this scheduler that were ever started.
    long started() {
        return started(world.everyProcessor());
    }

    private long started(Processor[] every) {
        long starts = counters.externalStarts.get();
        for (Processor processor : every) {
            starts += processor.started;
        }
        return starts;
    }

    /// A racy picture of everything, for statistics and traces.
    public SchedulerStats stats() {
        return Snapshot.of(this);
    }

    // ---- the end

    public boolean isClosed() {
        return closed;
    }

    /// No goroutine or thread may start any more; those that live go on. The machines end after the last of
    /// them.
    public void close() {
        closed = true;
        monitor.wake();
    }

    /// Who gets the timers that are left when this kernel has ended. Without an heir they are lost.
    public void setHeir(Supplier<Kernel> byDefault) {
        outlived = new OutlivedTimers(this, byDefault);
    }

    boolean isEnded() {
        return ended.getCount() == 0;
    }

    /// Called by the system monitor when it finds a closed kernel without a live thread: lets all machines go.
    void end() {
        ended.countDown();
        lock.lock();
        for (Machine machine = idle.firstMachine(); machine != null; machine = machine.idleNext) {
            Jdk.unparkCarrier(machine); // it retires; nobody else needs the lock any more
        }
        lock.unlock();
        sleeper.end();
        goroutines.end();
        starter.signal();
        moveTimers(); // last: this may make the default scheduler
    }

    private void moveTimers() {
        OutlivedTimers left = outlived;
        if (left != null) {
            try {
                left.move();
            } catch (LinkageError failure) {
                outlived = null; // there is no default scheduler, and never will be: do not try again
                throw failure;
            }
        }
    }

    public boolean awaitEnd(long timeout, TimeUnit unit) throws InterruptedException {
        return ended.await(timeout, unit);
    }
}
