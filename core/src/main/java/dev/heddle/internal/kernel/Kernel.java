package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.queue.StealOrder;
import dev.heddle.internal.queue.StealRule;
import dev.heddle.internal.queue.TimerEntry;
import dev.heddle.internal.queue.TimerHeap;
import dev.heddle.stats.SchedulerStats;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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
    final KernelLock lock = new KernelLock();

    final KernelCounters counters = new KernelCounters();
    final LatencySampler latency = new LatencySampler();
    final SharedQueue shared = new SharedQueue(lock);
    final IdleLists idle = new IdleLists();
    final Rounds rounds = new Rounds(this);
    final SpinCoordinator spin = new SpinCoordinator(this);
    final MachineList machines = new MachineList();
    final TimerSleeper sleeper = new TimerSleeper(this);
    final LockedThreads locked = new LockedThreads(this);
    final EntryPoints entries = new EntryPoints(this);
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

    /// Machines that are kept idle for the next hand-off: one, once [#keepSpareMachine] was called, or as many
    /// as there are processors until `sparesUntil`.
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

    StealRule stealPolicy() {
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

    /// Whether some caller holds the scheduler lock.
    boolean isLocked() {
        return lock.held != 0;
    }

    /// The machine under this thread if it is one of this kernel's. Pinned.
    @Nullable
    Machine machineHere() {
        return Jdk.currentCarrierThread() instanceof Machine machine && machine.kernel == this ? machine : null;
    }

    // ---- the hooks: see EntryPoints

    /// A thread of this scheduler became runnable. The JDK's `execute`. Any thread.
    void ready(Runnable resumeTask) {
        entries.ready(resumeTask);
    }

    /// Starts a goroutine. Any thread. Go: newproc.
    public void spawn(Goroutine goroutine) {
        entries.spawn(goroutine);
    }

    /// A scheduling point of the API: a thread whose time slice is over, or whose machine lost its processor,
    /// gives way. Go: the check in function prologues.
    public static void checkpoint() {
        if (Jdk.currentCarrierThread() instanceof Machine machine && machine.shouldYieldAtCheckpoint()) {
            EntryPoints.yieldSlice();
        }
    }

    /// See [Machine#maySpin].
    static boolean maySpin() {
        return Jdk.currentCarrierThread() instanceof Machine machine && machine.maySpin();
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

    // ---- timers

    /// Runs `command` on a carrier after the delay: it must be short and must not block. Any thread.
    public KernelTimer schedule(Runnable command, long delayNanos) {
        KernelTimer timer = new KernelTimer(this, TimerEntry.deadline(now(), delayNanos), command);
        entries.addTimer(timer);
        return timer;
    }

    /// In the kernel, if `machine` is not null.
    void addTimer(KernelTimer timer, @Nullable Machine machine) {
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

    /// Puts an entry into the global queue and starts an idle processor for it.
    void putAndStart(Runnable entry) {
        RunBatch fresh = null;
        while (true) {
            boolean isQueued;
            Processor processor = null;
            Machine machine = null;
            lock.lock();
            try {
                isQueued = shared.hasRoom(fresh);
                if (isQueued) {
                    shared.put(entry);
                    counters.injections.lazySet(counters.injections.getPlain() + 1); // the lock keeps others out
                    processor = stopping ? null : idle.take(null);
                    machine = processor == null ? null : assignLocked(processor, /* withToken= */ false);
                }
            } finally {
                lock.held = 0;
            }
            if (isQueued) {
                launch(processor, machine);
                return;
            }
            fresh = new RunBatch();
        }
    }

    /// Starts a machine for an idle processor, if there is one.
    void startIdleProcessor() {
        Processor processor;
        Machine machine;
        lock.lock();
        try {
            processor = stopping ? null : idle.take(null);
            machine = processor == null ? null : assignLocked(processor, /* withToken= */ false);
        } finally {
            lock.held = 0;
        }
        launch(processor, machine);
    }

    /// The safety net caught work that waits beside an idle processor. Looks again, under the lock, before it
    /// counts.
    void startForgottenWork() {
        Processor processor;
        Machine machine;
        lock.lock();
        try {
            if (idle.idleProcessors() == 0 || spin.spinning() != 0 || !hasQueuedWork()) {
                return;
            }
            counters.safetyNet.incrementAndGet();
            processor = stopping ? null : idle.take(null);
            machine = processor == null ? null : assignLocked(processor, /* withToken= */ false);
        } finally {
            lock.held = 0;
        }
        launch(processor, machine);
    }

    // ---- machines for processors

    /// A spinning token was taken: finds a processor and a machine for it, or gives it back. SpinCoordinator,
    /// step S5.
    void startSpinner(Machine self) {
        Machine machine;
        lock.lock();
        try {
            Processor processor = stopping ? null : idle.take(null);
            if (processor == null) {
                // Both before unlocking, so that a machine that releases a processor after us sees the need. The
                // token first: were it still out when the need is answered, the machine that answered could find
                // work, count on our token instead of waking a successor, and leave (docs/model/wake.pml,
                // NEED_BEFORE_TOKEN).
                spin.giveBackToken();
                spin.needOneMore();
                return;
            }
            spin.clearNeed();
            self.countWake();
            machine = assignLocked(processor, /* withToken= */ true);
        } finally {
            lock.held = 0;
        }
        launch(machine);
    }

    /// Gives the processor to an idle machine, or queues it for a machine to be made. Holds the lock; what it
    /// returns goes to [#launch] once the lock is released. Go: startm.
    private @Nullable Machine assignLocked(Processor processor, boolean withToken) {
        processor.status = Processor.Status.RUNNING;
        Machine machine = idle.takeMachine();
        if (machine == null) {
            idle.putPending(processor, withToken);
        } else {
            machine.grant(processor, withToken);
        }
        return machine;
    }

    /// A processor was assigned to the machine; to one that has yet to be made if it is null. No lock held.
    private void launch(@Nullable Machine machine) {
        if (machine == null) {
            if (machineCount >= options.maxMachines()) { // a moment old: if it was less, the starter makes one
                boolean _ = sleeper.wakeIfLaterThan(Long.MIN_VALUE); // it is the only machine to be had
            }
            starter.signal();
            spin.endNap(); // a napper comes sooner than a new thread
        } else {
            Jdk.unparkCarrier(machine);
            if (keepsSpareMachine && idle.idleMachines() == 0) {
                starter.signal(); // the next hand-off should find a machine
            }
        }
        monitor.wake();
    }

    private void launch(@Nullable Processor processor, @Nullable Machine machine) {
        if (processor == null) {
            spin.endNap(); // the only machine that could look has a processor already; a full fence before: `held`
        } else {
            launch(machine);
        }
    }

    /// A processor that nobody owns goes on with some machine.
    void startMachine(Processor processor) {
        Machine machine;
        lock.lock();
        try {
            machine = assignLocked(processor, /* withToken= */ false);
        } finally {
            lock.held = 0;
        }
        launch(machine);
    }

    /// A processor that was taken from its machine goes on with another one, if there is anything to do. The
    /// caller owns it. Go: handoffp.
    void handOff(Processor processor) {
        boolean goesOn;
        Machine machine = null;
        lock.lock();
        try {
            if (stopping) {
                processor.status = Processor.Status.STOPPED;
                return;
            }
            boolean lastOne = spin.spinning() == 0 && idle.idleProcessors() == 0;
            goesOn = lastOne || processor.hasWork() || processor.stalled != null || !shared.isEmpty();
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
        boolean timerAlone = next != Long.MAX_VALUE && !sleeper.wakeIfLaterThan(next);
        if (timerAlone
                || sleeper.needsPoller() // while a processor is idle some machine waits for sockets
                || spin.needSpinning() != 0) { // SpinCoordinator, R4: announced while this one was not idle
            startIdleProcessor();
        }
    }

    /// The machine gives up the processor it owns, in the kernel.
    void handOffOwn(Machine machine) {
        Processor processor;
        lock.lock();
        try {
            processor = machine.release();
        } finally {
            lock.held = 0;
        }
        handOff(processor);
    }

    /// An idle processor, `preferred` if it is idle; null if there is none or the world stops. The caller owns
    /// it.
    @Nullable
    Processor takeIdle(@Nullable Processor preferred) {
        lock.lock();
        try {
            return stopping ? null : idle.take(preferred);
        } finally {
            lock.held = 0;
        }
    }

    /// How many machines have to be made: processors wait, and no machine is on its way to them; or threads
    /// block one after the other, and the next hand-off should not have to wait for a machine.
    int machinesWanted() {
        int spares = now() < sparesUntil ? procs() : keepsSpareMachine ? 1 : 0;
        lock.lock();
        try {
            int wanted = idle.pendingProcessors() - startingMachines;
            if (wanted <= 0 && machineCount < options.maxMachines() && idle.idleMachines() - wanted < spares) {
                wanted = 1;
            }
            return wanted;
        } finally {
            lock.held = 0;
        }
    }

    /// A machine could not be made: those in reserve can wait.
    void keepNoSpareMachines() {
        sparesUntil = 0;
        keepsSpareMachine = false;
    }

    /// From now on a machine is kept idle, so that a hand-off need not wait for a thread to be made. System
    /// monitor only.
    void keepSpareMachine() {
        if (!keepsSpareMachine) {
            keepsSpareMachine = true;
            starter.signal();
        }
    }

    /// A processor was handed off because its thread blocks or computes; others may follow until then. System
    /// monitor
    /// only.
    void keepSpareMachines(long until) {
        keepsSpareMachine = true;
        sparesUntil = until;
        starter.signal();
    }

    /// Reserves the id of a new machine; 0 if there may be no more.
    int reserveMachine() {
        lock.lock();
        try {
            int id = 0;
            if (machineCount < options.maxMachines()) {
                machineCount++;
                startingMachines++;
                id = ++nextMachineId;
            }
            return id;
        } finally {
            lock.held = 0;
        }
    }

    /// The reserved machine could not be started.
    void unreserveMachine() {
        lock.lock();
        try {
            machineCount--;
            startingMachines--;
        } finally {
            lock.held = 0;
        }
    }

    void machineBegan(Machine machine) {
        machines.add(machine);
        lock.lock();
        try {
            startingMachines--;
        } finally {
            lock.held = 0;
        }
    }

    void machineEnded(Machine machine) {
        lock.lock();
        try {
            machineCount--;
        } finally {
            lock.held = 0;
        }
    }

    /// A machine that idled for long wants to end: it may unless it was just given a processor, or is the last
    /// spare one.
    boolean retire(Machine machine) {
        lock.lock();
        try {
            boolean may = machine.isIdle && (idle.idleMachines() > 1 || isEnded());
            if (may) {
                idle.remove(machine);
            }
            return may;
        } finally {
            lock.held = 0;
        }
    }

    /// The loop of a machine failed: a bug of ours. It is reported, and everything that the machine held goes
    /// on without it: its processor, token, entries and roles.
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
        try {
            return startingMachines == 0
                    && idle.pendingProcessors() == 0
                    && machineCount == idle.idleMachines() + lockedIdleMachines + (sleeper.isTaken() ? 1 : 0);
        } finally {
            lock.held = 0;
        }
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
        EntryPoints.giveProcessorAway();
        try {
            return operation.call();
        } finally {
            if (Jdk.currentCarrierThread() instanceof Machine machine && Thread.currentThread() != machine) {
                machine.kernel.entries.regainOrYield(machine);
            }
        }
    }

    // ---- threads locked to a machine

    /// Go: runtime.LockOSThread. On a virtual thread of this scheduler.
    public void lockThread() {
        entries.lockThread();
    }

    /// Go: runtime.UnlockOSThread.
    public void unlockThread() {
        entries.unlockThread();
    }

    /// Changes the number of processors, live. Any thread. Go: GOMAXPROCS, procresize.
    public void setProcs(int procs) {
        options.procs().setExplicit(KernelOptions.checkProcs(procs), "Go.gomaxprocs(" + procs + ")");
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

    /// Whether nothing of a closed kernel lives, and nothing can be about to start. System monitor only.
    ///
    /// Who starts something asks whether the kernel is closed only after this look can see it: in state KERNEL
    /// (a machine's loop too, where timers fire), or after it was counted ([EntryPoints]). So if it was told
    /// "open", which was before `closed` was stored, then its word says KERNEL here, or what it started is
    /// among the live.
    boolean mayEnd() {
        if (!closed) {
            return false;
        }
        for (Processor processor : world.everyProcessor()) {
            Machine machine = processor.machine;
            if (machine != null && Word.state(machine.word()) == Word.KERNEL) {
                return false;
            }
        }
        return live() == 0;
    }

    /// Called by the system monitor when it finds a closed kernel without a live thread: lets all machines go.
    void end() {
        ended.countDown();
        lock.lock();
        try {
            for (Machine machine = idle.firstMachine(); machine != null; machine = machine.idleNext) {
                Jdk.unparkCarrier(machine); // it retires; nobody else needs the lock any more
            }
        } finally {
            lock.held = 0;
        }
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
