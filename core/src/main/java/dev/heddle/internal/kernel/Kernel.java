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

/// A scheduler's shared state and the ways into it. Go: sched, with newproc, ready, injectglist, startm, handoffp.
///
/// Lock order: first the world semaphore, then kernel entry, then either the scheduler lock or the lock of one timer
/// heap, never two of these. No call leaves the kernel under the scheduler lock: the holder collects wake-ups and
/// thread starts, and performs them after unlocking.
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

    // The number of machines, and how many of them have been made but have not begun to run. Under the scheduler lock.
    private int machineCount;
    private int startingMachines;
    private int nextMachineId;

    /// The number of machines that are parked until the thread that is locked to them is runnable. Under the
    /// scheduler lock.
    int lockedIdleMachines;

    /// Replaced while the world is stopped.
    private volatile ProcessorSet processors = new ProcessorSet(new Processor[0], new StealOrder(1), null);

    /// Whether one machine is kept idle for the next hand-off, once [#keepSpareMachine] was called. Until
    /// `sparesUntil`, as many idle machines are kept as there are processors.
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
        starter = new Starter(this, options);
        monitor = new SystemMonitor(this, options.name());
        world.resize(options.procs().decision().procs());
        ColdStart.prepare(pool);
        starter.start();
        monitor.start();
    }

    // ---- accessors

    public CarrierPool pool() {
        return pool;
    }

    public KernelPool kernelPool() {
        return pool;
    }

    public String name() {
        return options.name();
    }

    /// This kernel has become the JVM's default: from now on it runs the JVM's virtual threads. There has been none
    /// before.
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

    /// Follows the number of CPUs and the CPU quota of the computer, at most once a second. System monitor only.
    void followLimits() {
        int wanted = options.procs().poll(System.nanoTime());
        mayNap = !options.procs().spinningWastesQuota(); // naps would only use up the quota (N13)
        if (wanted != ProcsWatcher.UNCHANGED) {
            starter.signal(); // the monitor never stops the world itself: meanwhile it could not retake processors
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

    /// Whether any thread holds the scheduler lock.
    boolean isLocked() {
        return lock.held != 0;
    }

    /// The machine that carries this thread, if it is one of this kernel's; else null. The caller is pinned.
    @Nullable
    Machine machineHere() {
        return Jdk.currentCarrierThread() instanceof Machine machine && machine.kernel == this ? machine : null;
    }

    // ---- the hooks: see EntryPoints

    /// A thread of this scheduler became runnable. The JDK calls this through `execute`. Any thread.
    void ready(Runnable resumeTask) {
        entries.ready(resumeTask);
    }

    /// Starts a goroutine. Any thread.
    /// Go: newproc.
    public void spawn(Goroutine goroutine) {
        entries.spawn(goroutine);
    }

    /// A scheduling point of the API: a thread yields if its time slice is over or its machine lost its processor.
    /// Go: the check in function prologues.
    public static void checkpoint() {
        if (Jdk.currentCarrierThread() instanceof Machine machine && machine.shouldYieldAtCheckpoint()) {
            EntryPoints.yieldSlice();
        }
    }

    /// See [Machine#maySpin].
    public static boolean maySpin() {
        return Jdk.currentCarrierThread() instanceof Machine machine && machine.maySpin();
    }

    /// The places where user code can be made to yield; null if there are none.
    @Nullable
    PreemptionPoints preemptionPoints() {
        return preemptionPoints;
    }

    /// Only for the kernel that is the JVM's default scheduler.
    public void setPreemptionPoints(PreemptionPoints points) {
        preemptionPoints = points;
    }

    // ---- timers

    /// Runs `command` on a carrier after the delay. The command must be short and must not block. Any thread.
    public KernelTimer schedule(Runnable command, long delayNanos) {
        KernelTimer timer = new KernelTimer(this, TimerEntry.deadline(now(), delayNanos), command);
        entries.addTimer(timer);
        return timer;
    }

    /// Adds the timer to a heap. If it is now the earliest, makes sure that a machine wakes up in time. In the
    /// kernel, if `machine` is not null.
    void addTimer(KernelTimer timer, @Nullable Machine machine) {
        Processor own = machine == null ? null : machine.p;
        TimerHeap.Push push = own == null ? TimerHeap.Push.CLOSED : own.timers.push(timer);
        while (push == TimerHeap.Push.CLOSED) { // any live processor will do; the heap of a destroyed one is closed
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

    /// When the earliest timer of all processors is due; `Long.MAX_VALUE` if there is none.
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

    // ---- work from callers without a processor

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
                    counters.injections.lazySet(counters.injections.getPlain() + 1); // the lock excludes other writers
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

    /// The safety net found work that waits although a processor is idle. Checks again under the lock before it
    /// counts the event and starts the processor.
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

    /// The caller took a spinning token. Finds a processor and a machine for the token, or gives it back.
    /// SpinCoordinator, step S5.
    void startSpinner(Machine self) {
        Machine machine;
        lock.lock();
        try {
            Processor processor = stopping ? null : idle.take(null);
            if (processor == null) {
                // Both steps come before unlocking, so that a machine that releases a processor later sees the need.
                // The token goes back first. Otherwise a machine could answer the need while our token is still
                // counted as spinning, find work, rely on our token instead of waking a successor, and stop searching
                // (docs/model/wake.pml, NEED_BEFORE_TOKEN).
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

    /// Gives the processor to an idle machine, or queues it for a machine to be made. The caller holds the
    /// lock, and passes the result to [#launch] after unlocking.
    /// Go: startm.
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

    /// Wakes the machine to which a processor was assigned. Null: the processor waits for a machine that has
    /// yet to be made. No lock held.
    private void launch(@Nullable Machine machine) {
        if (machine == null) {
            if (machineCount >= options.maxMachines()) { // may be stale: if it was less, the starter makes one
                boolean _ = sleeper.wakeIfLaterThan(Long.MIN_VALUE); // the sleeping machine is the only one available
            }
            starter.signal();
            spin.endNap(); // a napping machine is faster than a new thread
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
            // No processor was taken: only a napping machine, which has one already, could find the work. The volatile
            // store to `held` was the full fence that must come before this.
            spin.endNap();
        } else {
            launch(machine);
        }
    }

    /// Finds a machine for a processor that has no owner.
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

    /// Finds another machine for a processor that was taken from its machine, if there may be work; else makes
    /// the processor idle. The caller owns the processor.
    /// Go: handoffp.
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
                || sleeper.needsPoller() // while a processor is idle, some machine must wait for sockets
                || spin.needSpinning() != 0) { // SpinCoordinator, R4: announced while this one was not idle
            startIdleProcessor();
        }
    }

    /// The machine hands off the processor that it owns. In the kernel.
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

    /// Takes an idle processor: `preferred` if it is idle, else any; null if there is none or the world stops. The
    /// caller then owns it.
    @Nullable
    Processor takeIdle(@Nullable Processor preferred) {
        lock.lock();
        try {
            return stopping ? null : idle.take(preferred);
        } finally {
            lock.held = 0;
        }
    }

    /// How many machines have to be made: one for each processor that waits while no new machine is starting
    /// for it. If there is no such processor, one more while there are fewer spare machines than the next
    /// hand-offs may need.
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

    /// A machine could not be made: stop keeping spare machines.
    void keepNoSpareMachines() {
        sparesUntil = 0;
        keepsSpareMachine = false;
    }

    /// From now on one machine is kept idle, so that a hand-off need not wait for a new thread. System monitor
    /// only.
    void keepSpareMachine() {
        if (!keepsSpareMachine) {
            keepsSpareMachine = true;
            starter.signal();
        }
    }

    /// A processor was handed off because its thread blocks or computes. More hand-offs may follow, so spare
    /// machines are kept until the given time. System monitor only.
    void keepSpareMachines(long until) {
        keepsSpareMachine = true;
        sparesUntil = until;
        starter.signal();
    }

    /// Reserves the id of a new machine; 0 if the limit of machines is reached.
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

    /// A machine that was idle for long wants to end. It may, unless it was just given a processor or is the
    /// last idle machine of a kernel that has not ended.
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

    /// The loop of a machine failed, which is a bug in Heddle. Gives away what the machine held (its processor,
    /// token, entries and roles), then reports the bug.
    void machineDied(Machine machine, Throwable bug) {
        sleeper.resign(machine);
        machine.abandonDuties(); // first: the report may fail with OutOfMemoryError
        try {
            reportBug("machine " + machine + " failed", bug);
        } catch (OutOfMemoryError | StackOverflowError _) {
            // the processor goes on without a report
        }
    }

    /// Reports a bug in Heddle. Prints on a separate thread, because printing takes locks of the JDK.
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

    /// Whether no machine has anything to do. The machine that sleeps for timers and sockets counts as idle,
    /// too: the caller checks those timers and sockets itself.
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

    /// A number that grows whenever an entry is injected, started or run.
    long submissions() {
        long sum = counters.injections.get();
        for (Processor processor : world.everyProcessor()) {
            sum += processor.switches + processor.started;
        }
        return sum;
    }

    // ---- searching for work without a processor: SpinCoordinator, step R4

    /// Whether a napper must wake up: there is work in a queue other than a runNext, or the world stops.
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

    /// Whether there is work in any queue.
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

    /// Whether there is work anywhere, including timers that are due.
    boolean hasAnyWork() {
        if (hasQueuedWork()) {
            return true;
        }
        long earliest = earliestTimer();
        return earliest != Long.MAX_VALUE && earliest <= now();
    }

    // ---- blocking

    /// Runs an operation that will block. Gives the processor away at once, and tries to get one back
    /// afterwards. Any thread.
    /// Go: entersyscallblock, exitsyscall.
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

    /// Changes the number of processors while the kernel runs. Any thread.
    /// Go: GOMAXPROCS, procresize.
    public void setProcs(int procs) {
        options.procs().setExplicit(KernelOptions.checkProcs(procs), "Go.gomaxprocs(" + procs + ")");
        world.followDecision();
    }

    // ---- the main goroutine

    /// Watches for deadlock while a thread waits for the main goroutine.
    public DeadlockDetector deadlock() {
        return deadlock;
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
            // a failing handler is ignored, as the JVM does
        }
    }

    void timerFailed(Machine machine, Throwable failure) {
        countRepair(failure);
        goroutineFailed(machine, failure);
    }

    /// How many goroutines and virtual threads of this scheduler have started and not ended.
    public long live() {
        Processor[] every = world.everyProcessor();
        long ends = counters.strayEnds.get();
        for (Processor processor : every) {
            ends += processor.ended;
        }
        VarHandle.acquireFence(); // ends are read first, so the difference is never too small
        return started(every) - ends;
    }

    /// How many goroutines and virtual threads of this scheduler were ever started.
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

    /// A racy snapshot of all figures, for statistics and traces.
    public SchedulerStats stats() {
        return Snapshot.of(this);
    }

    // ---- the end

    public boolean isClosed() {
        return closed;
    }

    /// From now on no goroutine or virtual thread may start. Live ones go on, and the machines end after the
    /// last of them.
    public void close() {
        closed = true;
        monitor.wake();
    }

    /// Sets the kernel that inherits the timers that are left when this kernel ends. Without an heir they are lost.
    public void setHeir(Supplier<Kernel> byDefault) {
        outlived = new OutlivedTimers(this, byDefault);
    }

    boolean isEnded() {
        return ended.getCount() == 0;
    }

    /// Whether nothing of a closed kernel lives, and nothing can be about to start. System monitor only.
    ///
    /// A caller that starts a goroutine or thread reads `closed` only after it is visible to this check. Either
    /// its machine's word is KERNEL (which includes the machine's loop, where timers fire), or it has counted
    /// the start ([EntryPoints]). If the caller read "open", it did so before `closed` was stored. So this
    /// check sees its word in state KERNEL, or counts what it started among the live.
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

    /// Called by the system monitor when it finds a closed kernel without a live thread: lets all machines end.
    void end() {
        ended.countDown();
        lock.lock();
        try {
            for (Machine machine = idle.firstMachine(); machine != null; machine = machine.idleNext) {
                Jdk.unparkCarrier(machine); // it retires; no other thread needs the lock any more
            }
        } finally {
            lock.held = 0;
        }
        sleeper.end();
        goroutines.end();
        starter.signal();
        moveTimers(); // last: this may create the default scheduler
    }

    private void moveTimers() {
        OutlivedTimers left = outlived;
        if (left != null) {
            try {
                left.move();
            } catch (LinkageError failure) {
                outlived = null; // no default scheduler exists or can ever exist: do not try again
                throw failure;
            }
        }
    }

    public boolean awaitEnd(long timeout, TimeUnit unit) throws InterruptedException {
        return ended.await(timeout, unit);
    }
}
