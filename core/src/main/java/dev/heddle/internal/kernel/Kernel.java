package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.internal.queue.StealRule;
import dev.heddle.stats.SchedulerStats;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A scheduler: its shared state, its parts, its beginning and its end.
///
/// Lock order: first the world semaphore, then kernel entry, then either the scheduler lock or the lock of one timer
/// heap, never two of these. No call leaves the kernel under the scheduler lock: the holder collects wake-ups and
/// thread starts, and performs them after unlocking.
/// Go: sched.
public final class Kernel extends SchedulerCore {

    private final KernelOptions options;
    private final long origin = Jdk.nanoTime();
    private final KernelPool pool;

    // The parts, in an order in which each finds those it needs when it is made.

    final SchedulerLock lock = new SchedulerLock();
    final Counters counters = new Counters(this);
    final Failures failures;
    final LatencySampler latency = new LatencySampler();

    final Tracing tracing = new Tracing(this);

    // queues
    final GlobalRunQueue globalQueue = new GlobalRunQueue(lock);
    final IdleLists idle = new IdleLists();
    final Rounds rounds = new Rounds(this);
    final KernelTimers timers = new KernelTimers(this);

    // processors and machines
    final World world = new World(this);
    final LimitFollower limits;
    final @Nullable Placement placement;
    final SpinCoordinator spin = new SpinCoordinator(this);
    final Machines machines = new Machines(this);
    final MachineCounts machineCounts;
    final MachineList allMachines = new MachineList();
    final Sleeper sleeper = new Sleeper(this);
    final NetPoller sockets = new NetPoller(this);

    // what enters the kernel
    final Submitter submitter = new Submitter(this);
    final EntryPoints entries = new EntryPoints(this);
    final RescueList rescues = new RescueList(this);
    final LockedThreads locked = new LockedThreads();
    final LiveGoroutines goroutines;

    // threads
    final DeadlockDetector deadlock = new DeadlockDetector(this);
    final RecorderFollower recorder = new RecorderFollower(this);
    final Starter starter;
    final SystemMonitor monitor;

    private volatile boolean closed;
    private volatile @Nullable PreemptionPoints preemptionPoints;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable OutlivedTimers outlived;

    /// Makes a kernel whose own threads do not run yet: no machine is made, and none is watched. Tests drive it so.
    Kernel(KernelOptions options) {
        this.options = options;
        failures = new Failures(this, options.name(), counters, options.handler());
        limits = new LimitFollower(this, options.procs());
        placement = options.pinning() == null ? null : new Placement(options.pinning());
        machineCounts = new MachineCounts(this, options.maxMachines());
        pool = new KernelPool(this);
        goroutines = new LiveGoroutines(this);
        starter = new Starter(this, options);
        monitor = new SystemMonitor(this, options.name());
        world.resize(options.procs().decision().procs());
        ColdStart.prepare(pool);
    }

    /// Makes a kernel and starts its own threads.
    public static Kernel start(KernelOptions options) {
        Kernel kernel = new Kernel(options);
        kernel.start();
        return kernel;
    }

    /// Starts the kernel's own threads.
    void start() {
        starter.start();
        monitor.start();
        TraceSwitch.join(this); // last: it is found by its monitor
    }

    // ---- accessors

    @Override
    public KernelPool pool() {
        return pool;
    }

    @Override
    public String name() {
        return options.name();
    }

    @Override
    public int procs() {
        return world.processors().count();
    }

    ProcessorSet processors() {
        return world.processors();
    }

    boolean isStopping() {
        return world.isStopping();
    }

    StealRule stealPolicy() {
        return options.steal();
    }

    long idleMachineNanos() {
        return options.idleNanos();
    }

    public ProcsWatcher limits() {
        return limits.watcher();
    }

    @Override
    public int numCpu() {
        return limits.watcher().numCpu();
    }

    /// Nanoseconds since this kernel was made: never negative, never wraps.
    long now() {
        return Jdk.nanoTime() - origin;
    }

    /// Whether any thread holds the scheduler lock.
    boolean isLocked() {
        return lock.held != 0;
    }

    /// How many goroutines and virtual threads of this scheduler have started and not ended.
    public long live() {
        return counters.live();
    }

    /// A racy snapshot of all figures, for statistics and traces.
    @Override
    public SchedulerStats stats() {
        return Snapshot.of(this);
    }

    // ---- what the API asks for

    /// Starts a goroutine. Any thread.
    /// Go: newproc.
    @Override
    public void spawn(Goroutine goroutine) {
        entries.spawn(goroutine);
    }

    /// Runs `command` on a carrier after the delay. The command must be short and must not block. Any thread.
    public KernelTimer schedule(Runnable command, long delayNanos) {
        return timers.schedule(command, delayNanos);
    }

    /// A scheduling point: a thread yields if its time slice is over or its machine lost its processor. Any thread.
    public static void checkpoint() {
        Preemption.checkpoint();
    }

    /// Whether a thread that has to wait should spin briefly before it parks. Any thread.
    /// Go: sync_runtime_canSpin.
    public static boolean canSpin() {
        return Preemption.canSpin();
    }

    /// Lets other runnable threads run first; returns at once if there are none. Any thread.
    /// Go: Gosched.
    public static void gosched() {
        EntryPoints.gosched();
    }

    /// Runs an operation that will block. Gives the processor away at once, and tries to get one back
    /// afterwards. Any thread.
    /// Go: entersyscallblock, exitsyscall.
    public static <T> T blocking(Callable<T> operation) throws Exception {
        return Blocking.run(operation);
    }

    /// On a virtual thread of this scheduler.
    /// Go: runtime.LockOSThread.
    @Override
    public void lockThread() {
        entries.lockThread();
    }

    /// Go: runtime.UnlockOSThread.
    @Override
    public void unlockThread() {
        entries.unlockThread();
    }

    /// Changes the number of processors while the kernel runs. Any thread.
    /// Go: GOMAXPROCS, procresize.
    @Override
    public void setProcs(int procs) {
        limits.set(procs);
    }

    /// Watches for deadlock while a thread waits for the main goroutine.
    public DeadlockDetector deadlock() {
        return deadlock;
    }

    // ---- events for the flight recorder

    /// Sets what reports this kernel's events once the flight recorder runs.
    public void setFlightLink(FlightLink link) {
        recorder.setLink(link);
    }

    /// Sets what the events of the system monitor are written to; null if no reader wants them. Any thread.
    public void setEventFeed(@Nullable EventFeed feed) {
        recorder.setFeed(feed);
    }

    // ---- the JVM's default scheduler

    /// This kernel has become the JVM's default: from now on it runs the JVM's virtual threads. There has been none
    /// before.
    public void becomeDefault() {
        starter.prepareDefault();
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

    // ---- the end

    public boolean isClosed() {
        return closed;
    }

    /// From now on no goroutine or virtual thread may start. Live ones go on, and the machines end after the
    /// last of them.
    @Override
    public void close() {
        closed = true;
        monitor.wake();
    }

    /// Sets the kernel that inherits the timers that are left when this kernel ends. Without an heir they are lost.
    public void setHeir(Supplier<Kernel> byDefault) {
        outlived = new OutlivedTimers(this, byDefault);
    }

    public boolean isEnded() {
        return ended.getCount() == 0;
    }

    /// Whether nothing of a closed kernel lives, and nothing can be about to start. System monitor only.
    ///
    /// A caller that starts a goroutine or thread reads `closed` only after it is visible to this check. Either
    /// its machine's word is KERNEL (which includes the machine's loop, where timers fire), or it has counted
    /// the start ([Submitter#inject]). If the caller read "open", it did so before `closed` was stored. So this
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
        machines.endAll();
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

    @Override
    public boolean awaitEnd(long timeout, TimeUnit unit) throws InterruptedException {
        return ended.await(timeout, unit);
    }
}
