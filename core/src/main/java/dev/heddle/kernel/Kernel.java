package dev.heddle.kernel;

import dev.heddle.event.SchedulerStats;
import dev.heddle.jdk.CarrierPool;
import dev.heddle.jdk.Jdk;
import dev.heddle.jdk.ThreadState;
import dev.heddle.queue.GlobalRunQueue;
import dev.heddle.queue.LocalRunQueue;
import dev.heddle.queue.RunBatch;
import dev.heddle.queue.StealOrder;
import dev.heddle.queue.StealPolicy;
import dev.heddle.queue.TimerEntry;
import dev.heddle.queue.TimerHeap;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A scheduler's shared state and the ways into it. Go: sched, with newproc, ready, injectglist, startm, wakep.
///
/// Lock order: the world semaphore, then kernel entry, then the scheduler lock or one timer heap's; never two. Under
/// the scheduler lock nothing leaves the kernel: wakes and starts are collected and done after unlocking.
public final class Kernel {

    /// The most that one look at the global queue moves to the local one: half of that queue.
    private static final int GLOBAL_BATCH = 128;

    private final KernelOptions options;
    private final long origin = System.nanoTime();
    private final KernelPool pool;
    private final KernelLock lock = new KernelLock();
    final SpinCoordinator spin = new SpinCoordinator(this);
    final TimerSleeper sleeper = new TimerSleeper(this);
    final Starter starter;
    final SystemMonitor monitor;
    private final World world = new World(this);

    // ---- under the scheduler lock
    private final GlobalRunQueue global = new GlobalRunQueue();
    private @Nullable Processor idle;
    private volatile int idleProcessors;
    private @Nullable Machine idleMachines;
    private int idleMachineCount;
    private @Nullable Processor pending;
    private int pendingCount;
    private int machineCount;
    private int startingMachines;
    private int nextMachineId;

    // ---- replaced while the world is stopped
    private volatile ProcessorSet processors = new ProcessorSet(new Processor[0], new StealOrder(1));
    private volatile boolean stopping;

    private volatile boolean closed;
    private volatile boolean napsAllowed = true;

    private final AtomicLong externalStarts = new AtomicLong();
    private final AtomicLong strayEnds = new AtomicLong();
    private final AtomicLong repairs = new AtomicLong();
    private final AtomicLong rescues = new AtomicLong();
    private final AtomicLong safetyNet = new AtomicLong();
    private final AtomicLong injections = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(1);

    public Kernel(KernelOptions options) {
        this.options = options;
        pool = new KernelPool(this);
        starter = new Starter(this, options.name());
        monitor = new SystemMonitor(this, options.name());
        world.resize(options.procs());
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

    int maxMachines() {
        return options.maxMachines();
    }

    int machineCount() {
        return machineCount;
    }

    public String name() {
        return options.name();
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

    int idleProcessors() {
        return idleProcessors;
    }

    StealPolicy stealPolicy() {
        return options.steal();
    }

    long idleMachineNanos() {
        return options.idleNanos();
    }

    boolean mayNap() {
        return napsAllowed;
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

    /// The time, if the processor has any timer; else a time before every timer, for less.
    long nowIfTimers(Processor processor) {
        return processor.timers.nextWhen() == Long.MAX_VALUE ? -1 : now();
    }

    // ---- entering

    /// The machine under this thread if it is one of this kernel's. Pinned.
    private @Nullable Machine currentMachine() {
        return Jdk.currentCarrierThread() instanceof Machine machine && machine.kernel == this ? machine : null;
    }

    // ---- the hooks

    /// A thread of this scheduler became runnable. The JDK's `execute`. Any thread.
    ///
    /// Kernel code at the end of somebody's stack: if the stack ends inside, the entry is kept in the machine's
    /// rescue array and the ownership word put right, by plain stores (N6).
    void ready(Runnable resumeTask) {
        int state = Jdk.stateOf(resumeTask);
        Jdk.pin();
        try {
            Machine machine = currentMachine();
            if (machine == null) {
                readyFromOutside(resumeTask, state);
                return;
            }
            int depthBefore = machine.depth();
            try {
                machine.enterKernel();
                if (machine.p == null) {
                    readyFromOutside(resumeTask, state);
                } else {
                    if (state == ThreadState.STARTED) {
                        admit(machine);
                    }
                    machine.readyHere(resumeTask, state);
                }
                machine.exitKernel();
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

    private void readyFromOutside(Runnable resumeTask, int state) {
        if (state == ThreadState.STARTED) {
            refuseIfClosed();
            externalStarts.incrementAndGet();
        }
        try {
            inject(resumeTask);
        } catch (OutOfMemoryError failure) {
            if (state == ThreadState.STARTED) {
                externalStarts.decrementAndGet();
            }
            throw failure;
        }
    }

    private void admit(Machine machine) {
        if (!machine.isStartingShell()) {
            refuseIfClosed();
            machine.countStart();
        }
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new RejectedExecutionException("scheduler " + options.name() + " is closed");
        }
    }

    /// Starts a goroutine. Go: newproc.
    public void spawn(Goroutine goroutine) {
        refuseIfClosed();
        boolean sliceOver = false;
        Jdk.pin();
        try {
            Machine machine = currentMachine();
            if (machine == null) {
                spawnFromOutside(goroutine);
                return;
            }
            int depthBefore = machine.depth();
            try {
                machine.enterKernel();
                Processor processor = machine.p;
                if (processor == null) {
                    spawnFromOutside(goroutine);
                } else {
                    machine.putLocal(goroutine);
                    processor.started++;
                    sliceOver = processor.preempt;
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

    private void spawnFromOutside(Goroutine goroutine) {
        inject(goroutine);
        externalStarts.incrementAndGet();
    }

    /// The current thread's time slice is over and it is at a point where it may yield. Go: the function prologue's
    /// check.
    static void yieldSlice() {
        if (Thread.currentThread().isVirtual()) {
            try {
                Thread.yield();
            } catch (OutOfMemoryError _) {
                // no memory to yield with: goes on, and is asked again
            }
        }
    }

    /// The shell's kernel step between two goroutines.
    @Nullable
    Goroutine nextForShell(Shell shell) {
        Jdk.pin();
        try {
            Machine machine = currentMachine();
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

    /// Runs `command` on a carrier after the delay. Any thread. Go: the timers' add.
    KernelTimer schedule(Runnable command, long delayNanos) {
        KernelTimer timer = new KernelTimer(this, TimerEntry.deadline(now(), delayNanos), command);
        Jdk.pin();
        try {
            Machine machine = currentMachine();
            if (machine == null) {
                addTimer(timer, null);
            } else {
                int depthBefore = machine.depth();
                try {
                    machine.enterKernel();
                    addTimer(timer, machine);
                    machine.exitKernel();
                } catch (Throwable failure) {
                    machine.abandonKernel(depthBefore);
                    throw failure;
                }
            }
        } finally {
            Jdk.unpin();
        }
        return timer;
    }

    private void addTimer(KernelTimer timer, @Nullable Machine machine) {
        Processor processor = machine == null ? null : machine.p;
        TimerHeap.Push push = processor == null ? TimerHeap.Push.CLOSED : processor.timers.push(timer);
        while (push == TimerHeap.Push.CLOSED) { // any live processor will do; a destroyed one's heap is closed
            Processor[] all = processors.all();
            push = all[(int) Math.floorMod(timer.when(), (long) all.length)].timers.push(timer);
        }
        if (push == TimerHeap.Push.EARLIEST && !sleeper.wakeIfLaterThan(timer.when())) {
            if (machine != null && machine.p != null) {
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

    // ---- the global queue

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    RunBatch newChunk() {
        lock.lock();
        RunBatch chunk = global.takeChunk();
        lock.unlock();
        return chunk != null ? chunk : new RunBatch();
    }

    boolean isGlobalEmpty() {
        return global.isEmpty();
    }

    /// Appends one entry. All or nothing: memory is had before anything changes.
    void putGlobal(Runnable entry) {
        lockWithChunk();
        global.putTail(entry);
        lock.unlock();
    }

    /// Locks, with room for one more entry in the global queue.
    private void lockWithChunk() {
        lock.lock();
        while (global.needsChunk()) {
            lock.unlock();
            RunBatch chunk = new RunBatch();
            lock.lock();
            global.recycle(chunk);
        }
    }

    /// Appends a spilled half of a local queue; returns a chunk for the next spill if one is at hand.
    @Nullable
    RunBatch putGlobalBatch(RunBatch batch) {
        lock.lock();
        global.putTailBatch(batch);
        RunBatch chunk = global.takeChunk();
        lock.unlock();
        return chunk;
    }

    /// Moves runNext to the global tail if it is still `entry`, and if memory allows.
    boolean tryPutGlobal(LocalRunQueue queue, Runnable entry) {
        try {
            lockWithChunk();
        } catch (OutOfMemoryError _) {
            return false; // it runs a little longer
        }
        boolean taken = queue.takeNextIf(entry);
        if (taken) {
            global.putTail(entry);
        }
        lock.unlock();
        return taken;
    }

    @Nullable
    Runnable takeOneFromGlobal() {
        lock.lock();
        Runnable entry = global.get();
        lock.unlock();
        return entry;
    }

    /// Takes the head of the global queue if it is a fresh goroutine.
    @Nullable
    Goroutine takeFreshFromGlobal() {
        lock.lock();
        Goroutine fresh = null;
        if (global.peek() instanceof Goroutine head) {
            global.get();
            fresh = head;
        }
        lock.unlock();
        return fresh;
    }

    /// Moves a share of the global queue to the processor's empty local queue. Go: globrunqgetbatch. Owner only.
    boolean refillFromGlobal(Processor processor) {
        if (global.isEmpty()) {
            return false;
        }
        RunBatch batch = processor.transfer;
        lock.lock();
        int moved = global.getBatch(procs(), GLOBAL_BATCH, batch);
        lock.unlock();
        processor.runQueue.putBatch(batch);
        return moved > 0;
    }

    /// Work from someone without a processor: to the global queue, and an idle processor is started for it. Go:
    /// injectglist.
    void inject(Runnable entry) {
        lockWithChunk();
        global.putTail(entry);
        injections.lazySet(injections.getPlain() + 1);
        startIdleProcessorLocked();
    }

    /// As [#inject], for entries that are nowhere else: waits for memory instead of failing.
    void injectPatiently(Runnable entry) {
        while (true) {
            try {
                inject(entry);
                return;
            } catch (OutOfMemoryError failure) {
                countRepair(failure);
                Jdk.parkCarrier(1_000_000);
            }
        }
    }

    void startIdleProcessor() {
        lock.lock();
        startIdleProcessorLocked();
    }

    /// Starts a machine for an idle processor, if there is one. Unlocks.
    private void startIdleProcessorLocked() {
        Processor processor = stopping ? null : popIdle(null);
        if (processor == null) {
            lock.unlock();
        } else {
            startMachine(processor, /* withToken= */ false);
        }
    }

    /// A spinning token was taken: finds a processor and a machine for it, or gives it back. SpinCoordinator, step
    /// S5.
    void startSpinner(Machine self) {
        lock.lock();
        Processor processor = stopping ? null : popIdle(null);
        if (processor == null) {
            spin.needOneMore(); // before unlocking: who releases a processor after us must see it
            lock.unlock();
            spin.giveBackToken();
        } else {
            spin.clearNeed();
            self.countWake();
            startMachine(processor, /* withToken= */ true);
        }
    }

    // ---- machines for processors

    /// Gives the processor to an idle machine, or queues it for a machine to be made. Holds the lock, and unlocks.
    /// Go: startm.
    void startMachine(Processor processor, boolean withToken) {
        processor.status = Processor.Status.RUNNING;
        Machine machine = popIdleMachine();
        if (machine == null) {
            processor.status = Processor.Status.PENDING;
            processor.pendingSpinning = withToken;
            processor.link = pending;
            pending = processor;
            pendingCount++;
            lock.unlock();
            starter.signal();
        } else {
            machine.grant(processor, withToken);
            lock.unlock();
            Jdk.unparkCarrier(machine);
        }
        monitor.wake();
    }

    /// A processor that waits for a machine; null if none. Holds the lock.
    @Nullable
    Processor takePending() {
        Processor processor = pending;
        if (processor != null) {
            pending = processor.link;
            processor.link = null;
            pendingCount--;
            processor.status = Processor.Status.RUNNING;
        }
        return processor;
    }

    /// How many machines have to be made: processors wait, and no machine is on its way to them. Holds no lock.
    int machinesWanted() {
        lock.lock();
        int wanted = pendingCount - startingMachines;
        lock.unlock();
        return wanted;
    }

    /// A new machine has begun. Holds the lock.
    void machineBegan() {
        startingMachines--;
    }

    /// Puts a processor on the idle list. Holds the lock; nobody owns the processor. Go: pidleput.
    void putIdle(Processor processor) {
        processor.status = Processor.Status.IDLE;
        processor.link = idle;
        idle = processor;
        idleProcessors++;
    }

    /// An idle processor, `preferred` if it is idle; null if there is none or the world stops. The caller owns it.
    @Nullable
    Processor takeIdle(@Nullable Processor preferred) {
        lock.lock();
        Processor processor = stopping ? null : popIdle(preferred);
        if (processor != null) {
            processor.status = Processor.Status.RUNNING;
        }
        lock.unlock();
        return processor;
    }

    @Nullable
    Processor popIdle(@Nullable Processor preferred) {
        Processor before = null;
        Processor processor = idle;
        if (preferred != null && preferred.status == Processor.Status.IDLE) {
            while (processor != preferred && processor != null) {
                before = processor;
                processor = processor.link;
            }
        }
        if (processor != null) {
            if (before == null) {
                idle = processor.link;
            } else {
                before.link = processor.link;
            }
            processor.link = null;
            idleProcessors--;
        }
        return processor;
    }

    /// Holds the lock. Go: mput.
    void putIdleMachine(Machine machine) {
        machine.isIdle = true;
        machine.idlePrev = null;
        machine.idleNext = idleMachines;
        if (idleMachines != null) {
            idleMachines.idlePrev = machine;
        }
        idleMachines = machine;
        idleMachineCount++;
    }

    /// Holds the lock. Go: mget.
    private @Nullable Machine popIdleMachine() {
        Machine machine = idleMachines;
        if (machine != null) {
            removeIdleMachine(machine);
        }
        return machine;
    }

    private void removeIdleMachine(Machine machine) {
        Machine before = machine.idlePrev;
        Machine after = machine.idleNext;
        if (before == null) {
            idleMachines = after;
        } else {
            before.idleNext = after;
        }
        if (after != null) {
            after.idlePrev = before;
        }
        machine.idlePrev = null;
        machine.idleNext = null;
        machine.isIdle = false;
        idleMachineCount--;
    }

    /// A machine that idled for long wants to end: it may unless it was just given a processor, or is the last spare
    /// one.
    boolean retire(Machine machine) {
        lock.lock();
        boolean may = machine.isIdle && (idleMachineCount > 1 || isEnded());
        if (may) {
            removeIdleMachine(machine);
        }
        lock.unlock();
        return may;
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

    void machineEnded() {
        lock.lock();
        machineCount--;
        lock.unlock();
    }

    /// The reserved machine could not be started.
    void unreserveMachine() {
        lock.lock();
        machineCount--;
        startingMachines--;
        lock.unlock();
    }

    /// The loop of a machine failed: a bug of ours. It is reported, and its processor goes on with another machine.
    void machineDied(Machine machine, Throwable bug) {
        System.err.println("heddle: machine " + machine + " failed, this is a bug in Heddle:");
        bug.printStackTrace();
        lock.lock();
        Processor processor = machine.p;
        if (processor == null) {
            lock.unlock();
        } else {
            machine.release();
            startMachine(processor, /* withToken= */ false);
        }
    }

    // ---- looking for work without a processor: SpinCoordinator, step R4

    /// Work in some queue other than a runNext: what a napper must not sleep through.
    boolean hasVisibleWork() {
        if (!global.isEmpty() || stopping) {
            return true;
        }
        for (Processor processor : processors.all()) {
            if (processor.runQueue.size() > 0) {
                return true;
            }
        }
        return false;
    }

    /// Work anywhere, due timers included.
    boolean hasAnyWork() {
        if (!global.isEmpty()) {
            return true;
        }
        for (Processor processor : processors.all()) {
            if (processor.hasWork()) {
                return true;
            }
        }
        long earliest = earliestTimer();
        return earliest != Long.MAX_VALUE && earliest <= now();
    }

    void wakeMonitor() {
        monitor.wake();
    }

    // ---- stop the world

    /// Holds the lock; the machine has just released the processor.
    void stopped(Processor processor) {
        processor.status = Processor.Status.STOPPED;
    }

    /// Changes the number of processors, live. Go: GOMAXPROCS, procresize.
    public void setProcs(int procs) {
        if (procs < 1 || procs > KernelOptions.MAX_PROCS) {
            throw new IllegalArgumentException("procs must be 1 to " + KernelOptions.MAX_PROCS + ", not " + procs);
        }
        world.change(procs);
    }

    GlobalRunQueue global() {
        return global;
    }

    @Nullable
    Machine machineHere() {
        return currentMachine();
    }

    // ---- counting

    void countStrayEnd() {
        strayEnds.incrementAndGet();
    }

    void countRepair(Throwable failure) {
        repairs.incrementAndGet();
    }

    void countRescue() {
        rescues.incrementAndGet();
    }

    void countSafetyNet() {
        safetyNet.incrementAndGet();
    }

    /// Goroutines and virtual threads of this scheduler that have started and not ended.
    public long live() {
        long ended = strayEnds.get();
        Processor[] all = world.everyProcessor();
        for (Processor processor : all) {
            ended += processor.ended;
        }
        VarHandle.acquireFence(); // ends first: the difference is never too small
        long started = externalStarts.get();
        for (Processor processor : all) {
            started += processor.started;
        }
        return started - ended;
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
        repairs.incrementAndGet();
        goroutineFailed(machine, failure);
    }

    /// A racy picture of everything, for statistics and traces.
    public SchedulerStats stats() {
        Processor[] all = processors.all();
        int[] queued = new int[all.length];
        long[] ticks = new long[all.length];
        long switches = 0;
        long steals = 0;
        long stolen = 0;
        long overflows = 0;
        long wakes = 0;
        long timers = 0;
        int sleeping = 0;
        for (int i = 0; i < all.length; i++) {
            Processor processor = all[i];
            queued[i] = processor.runQueue.size();
            ticks[i] = processor.schedTick;
            sleeping += processor.timers.size();
        }
        for (Processor processor : world.everyProcessor()) {
            switches += processor.switches;
            steals += processor.steals;
            stolen += processor.stolen;
            overflows += processor.overflows;
            wakes += processor.wakes;
            timers += processor.timersFired;
        }
        return new SchedulerStats(
                TimeUnit.NANOSECONDS.toMillis(now()),
                all.length,
                idleProcessors,
                machineCount,
                spin.spinning(),
                spin.needSpinning() != 0,
                idleMachineCount,
                global.size(),
                queued,
                ticks,
                live(),
                switches,
                steals,
                stolen,
                overflows,
                wakes,
                injections.get(),
                timers,
                sleeping,
                rescues.get(),
                repairs.get(),
                safetyNet.get());
    }

    // ---- the end

    public boolean isClosed() {
        return closed;
    }

    /// No goroutine or thread may start any more; those that live go on. The machines end after the last of them.
    public void close() {
        closed = true;
        monitor.wake();
    }

    boolean isEnded() {
        return ended.getCount() == 0;
    }

    /// Called by the system monitor when it finds a closed kernel without a live thread: lets all machines go.
    void end() {
        ended.countDown();
        lock.lock();
        Machine machine = idleMachines;
        while (machine != null) {
            Jdk.unparkCarrier(machine); // cheap enough here: nobody else needs the lock any more
            machine = machine.idleNext;
        }
        lock.unlock();
        starter.signal();
    }

    public boolean awaitEnd(long timeout, TimeUnit unit) throws InterruptedException {
        return ended.await(timeout, unit);
    }
}
