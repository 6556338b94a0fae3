package dev.heddle.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.jdk.Carrier;
import dev.heddle.jdk.Jdk;
import dev.heddle.jdk.ThreadState;
import dev.heddle.queue.StealOrder;
import dev.heddle.queue.TimerEntry;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A machine: the carrier thread that runs goroutines while it owns a processor, and the loop that finds them.
///
/// Go: m, with schedule, findRunnable, stealWork and execute. Everything here is in one of two places: **in the
/// kernel** (word KERNEL, or no processor), or in user code, which is everything between [#exitKernel] and
/// [#enterKernel]: the whole of a resume task's run, with the JDK's own code before and after the thread's. While it
/// is there the processor may be taken away; it is then found gone at the next entry.
public final class Machine extends Carrier {

    private static final VarHandle WORD = Handles.field(lookup(), "word", long.class);

    /// 61: a prime, as in Go; every 61st tick looks at the global queue first.
    static final int GLOBAL_CHECK_TICKS = 61;

    private static final int STEAL_ROUNDS = 4;
    private static final int TIMERS_PER_CHECK = 64;

    /// How long a victim must stand still before its runNext may be stolen: Go's usleep(3).
    private static final long STOOD_STILL_NANOS = 3_000;

    // A parked spinner: doubling naps, and how long all of them may last (N13).
    private static final long FIRST_NAP_NANOS = 50_000;
    private static final long LAST_NAP_NANOS = 400_000;
    private static final long ALL_NAPS_NANOS = 10_000_000;

    private static final int RESCUE_SLOTS = 64;

    final Kernel kernel;
    final int id;

    /// See [Word]. Written by this machine, and by takers and granters as the table there says.
    private volatile long word;

    /// What this machine itself last stored in its word. Own thread only.
    private long ownWord;

    /// The processor owned, valid in the kernel; in user code it may have been taken. Own thread only.
    @Nullable
    Processor p;

    /// The processor that a granter gave, read after the word says so.
    private @Nullable Processor granted;

    /// The processor before this one: the first to ask for when it was lost.
    private @Nullable Processor oldP;

    /// Kernel entries nest: timer callbacks and the start of a shell come back through the hooks.
    private int depth = 1;

    /// This machine holds a token of [SpinCoordinator]. Own thread, or its granter before the grant.
    boolean spinning;

    /// Links of the idle list, and whether this machine is in it. Under the scheduler lock.
    @Nullable
    Machine idlePrev;

    @Nullable
    Machine idleNext;

    boolean isIdle;

    /// The resume task that runs now.
    private @Nullable Runnable current;

    /// The entry found by findRunnable came from runNext and inherits the time slice.
    private boolean inheritTime;

    /// The start of a shell by this machine comes back through `ready`: its resume task is kept here, not queued.
    private boolean startingShell;

    private @Nullable Runnable startedShell;

    /// Resume tasks run by this machine. A shell that sees it changed has been unmounted.
    private long mounts;

    private final @Nullable TimerEntry[] due = new TimerEntry[TIMERS_PER_CHECK];
    private long napsSince;
    private int random = Chaos.seed();

    /// Entries that a StackOverflowError in the kernel left without a queue (N6). Stored plainly, drained by the
    /// loop.
    private final @Nullable Runnable[] rescued = new Runnable[RESCUE_SLOTS];

    private int rescuedCount;

    // Counters, written by this machine.
    long naps;
    long parks;

    Machine(Kernel kernel, int id, String name) {
        super(kernel.pool(), name);
        this.kernel = kernel;
        this.id = id;
    }

    // ---- ownership

    long word() {
        return word;
    }

    long mounts() {
        return mounts;
    }

    boolean isInKernel() {
        return depth > 0;
    }

    /// Enters the kernel: from here to [#exitKernel] the processor, if there still is one, cannot be taken.
    /// On this machine, pinned.
    void enterKernel() {
        if (depth++ == 0 && p != null) {
            long kernelWord = Word.withState(ownWord, Word.KERNEL);
            Chaos.point();
            if (WORD.compareAndSet(this, ownWord, kernelWord)) {
                ownWord = kernelWord;
            } else {
                processorLost();
            }
        }
    }

    /// Leaves the kernel. The release store publishes what was written to the processor meanwhile.
    void exitKernel() {
        if (--depth == 0 && p != null) {
            ownWord = Word.next(ownWord, Word.USER);
            WORD.setRelease(this, ownWord);
            Chaos.point();
        }
    }

    private void processorLost() {
        oldP = p;
        p = null;
        ownWord = word;
    }

    /// Makes the processor this machine's. Holds the scheduler lock, or owns the processor as its taker.
    void acquire(Processor processor) {
        p = processor;
        processor.machine = this;
        ownWord = Word.next(ownWord, processor.id, Word.KERNEL);
        WORD.setVolatile(this, ownWord);
    }

    /// Gives the processor up. Holds the scheduler lock.
    Processor release() {
        Processor processor = owned();
        oldP = processor;
        p = null;
        processor.machine = null;
        ownWord = Word.next(ownWord, 0, Word.NONE);
        WORD.setVolatile(this, ownWord);
        return processor;
    }

    /// Gives a processor to this parked machine, which has been removed from the idle list. The caller unparks it
    /// after unlocking. Holds the scheduler lock.
    void grant(Processor processor, boolean withToken) {
        granted = processor;
        spinning = withToken;
        processor.machine = this;
        WORD.setVolatile(this, Word.next(word, processor.id, Word.NAP));
    }

    /// Takes the processor of this machine if its word is still `judged`. The caller owns the processor then. Any
    /// thread.
    boolean take(long judged) {
        Chaos.point();
        return WORD.compareAndSet(this, judged, Word.withState(judged, Word.LOST));
    }

    private Processor owned() {
        Processor processor = p;
        if (processor == null) {
            throw new SchedulerBug("machine " + id + " has no processor: " + Word.toString(word));
        }
        return processor;
    }

    // ---- the loop

    @Override
    public void run() {
        try {
            startUp();
            while (p != null || acquireProcessor()) {
                Runnable entry = findRunnable();
                if (entry != null) {
                    execute(entry);
                }
            }
        } catch (Throwable bug) {
            kernel.machineDied(this, bug);
        } finally {
            kernel.machineEnded();
        }
    }

    /// A new machine has no processor: it takes one that waits for a machine, or parks until it is given one.
    private void startUp() {
        kernel.lock();
        kernel.machineBegan();
        kernel.unlock();
        if (!takePending()) {
            stopMachine();
        }
    }

    /// Runs one entry. Go: execute.
    private void execute(Runnable entry) {
        Processor processor = owned();
        Runnable task = entry;
        if (entry instanceof Goroutine goroutine) {
            Runnable shell = startShell(goroutine);
            if (shell == null) {
                goroutine.stalledNext = processor.stalled;
                processor.stalled = goroutine;
                return;
            }
            task = shell;
        } else if (!isRunnable(Jdk.stateOf(entry))) {
            return; // queued twice (J2): it has run, or is suspended and will be queued again
        }
        if (!inheritTime) {
            processor.schedTick++;
        }
        processor.switches++;
        mounts++;
        current = task;
        Throwable failure = null;
        exitKernel();
        try {
            task.run();
        } catch (Throwable e) {
            failure = e;
        }
        enterKernel();
        current = null;
        if (Jdk.stateOf(task) == ThreadState.TERMINATED) {
            if (Jdk.claimEnd(Jdk.threadOf(task))) {
                countEnd();
            }
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

    boolean isStartingShell() {
        return startingShell;
    }

    /// A thread of the user's starts here.
    void countStart() {
        owned().started++;
    }

    void countWake() {
        owned().wakes++;
    }

    /// A goroutine or thread of the user's ended here.
    void countEnd() {
        Processor processor = p;
        if (processor != null) {
            processor.ended++;
        } else {
            kernel.countStrayEnd();
        }
    }

    /// The JDK failed between two states of a thread, for want of memory: makes it runnable again. A park that
    /// returns early is legal, a thread that never runs again is not (N18).
    private void repair(Runnable task, Throwable failure) {
        kernel.countRepair(failure);
        int state = Jdk.stateOf(task);
        int repaired = switch (state) {
            case ThreadState.PARKING, ThreadState.TIMED_PARKING -> ThreadState.UNPARKED;
            case ThreadState.WAITING, ThreadState.TIMED_WAITING -> ThreadState.UNBLOCKED;
            default -> state;
        };
        if (state != repaired && !Jdk.repairState(task, state, repaired)) {
            return; // somebody else moved it on
        }
        if (isRunnable(repaired)) {
            kernel.injectPatiently(task);
        }
    }

    // ---- shells

    /// Makes a shell for the goroutine and starts it: its resume task comes back through [#readyHere]. Null when
    /// memory is exhausted.
    private @Nullable Runnable startShell(Goroutine goroutine) {
        startingShell = true;
        try {
            Shell shell = new Shell(kernel, goroutine);
            shell.mountedOn(this, mounts + 1);
            Jdk.newBareVirtualThread(kernel.pool(), shell).start();
            Runnable started = startedShell;
            if (started == null) {
                throw new SchedulerBug("a shell was started but did not come back");
            }
            return started;
        } catch (OutOfMemoryError | StackOverflowError failure) {
            kernel.countRepair(failure);
            return null;
        } finally {
            startingShell = false;
            startedShell = null;
        }
    }

    /// One kernel step between two goroutines of a shell: the next one, if the next runnable thing is a fresh
    /// goroutine.
    @Nullable
    Goroutine nextForShell(Shell shell) {
        countEnd();
        Processor processor = p;
        if (processor != null && !shell.hasParked(this) && !kernel.isStopping()) {
            Goroutine next = nextFresh(processor);
            if (next != null) {
                processor.switches++;
                return next;
            }
        }
        Jdk.claimEnd(Thread.currentThread()); // its goroutines were counted: the thread itself is not
        return null;
    }

    /// The next entry in findRunnable's order, if it is a fresh goroutine and nothing else is due; it is taken only
    /// then (peek first: an entry that is taken and kept here would be invisible to thieves, N16).
    private @Nullable Goroutine nextFresh(Processor processor) {
        if (processor.preempt || processor.timers.nextWhen() <= kernel.nowIfTimers(processor)) {
            return null;
        }
        if (processor.schedTick % GLOBAL_CHECK_TICKS == 0 && !kernel.isGlobalEmpty()) {
            Goroutine fresh = kernel.takeFreshFromGlobal();
            if (fresh != null) {
                processor.schedTick++;
            }
            return fresh;
        }
        if (processor.runQueue.peekNext() instanceof Goroutine fresh) {
            return processor.runQueue.takeNextIf(fresh) ? fresh : null;
        }
        if (processor.runQueue.hasNext()) {
            return null;
        }
        Runnable head = processor.runQueue.peekHead();
        if (head == null && kernel.refillFromGlobal(processor)) {
            head = processor.runQueue.peekHead();
        }
        if (head instanceof Goroutine fresh && processor.runQueue.takeHeadIf(fresh)) {
            processor.schedTick++;
            return fresh;
        }
        return null;
    }

    // ---- making things runnable, on this machine, in the kernel, with a processor

    /// A thread became runnable here. Go: ready.
    void readyHere(Runnable resumeTask, int state) {
        if (startingShell) {
            startedShell = resumeTask;
        } else if (state == ThreadState.YIELDED && resumeTask == current) {
            kernel.putGlobal(resumeTask); // Go: goschedImpl
            kernel.spin.wakeProcessor(this, /* onlyRunNext= */ false);
        } else {
            putLocal(resumeTask);
        }
    }

    /// Puts an entry into runNext and wakes a machine if one should look. Go: runqput and wakep.
    void putLocal(Runnable entry) {
        Processor processor = owned();
        processor.runQueue.put(entry, /* next= */ !Chaos.coin(), processor);
        Chaos.point();
        kernel.spin.wakeProcessor(this, /* onlyRunNext= */ processor.runQueue.size() == 0);
    }

    /// Keeps an entry that could not be queued because the stack ended; the loop queues it. No calls: see N6.
    boolean rescue(@Nullable Runnable entry) {
        if (entry != null && rescuedCount < RESCUE_SLOTS) {
            rescued[rescuedCount++] = entry;
            return true;
        }
        return entry == null;
    }

    /// Undoes what an interrupted kernel section left: plain stores and field accesses only.
    void abandonKernel(int depthBefore) {
        depth = depthBefore;
        if (depthBefore == 0 && p != null) {
            ownWord = Word.next(ownWord, Word.USER);
            word = ownWord;
        }
    }

    int depth() {
        return depth;
    }

    private void drainRescued() {
        while (rescuedCount > 0) {
            Runnable entry = rescued[--rescuedCount];
            rescued[rescuedCount] = null;
            if (entry != null) {
                kernel.countRescue();
                kernel.injectPatiently(entry);
            }
        }
    }

    // ---- findRunnable

    /// Finds something to run; null if the machine lost its processor or should look again. Go: findRunnable, in its
    /// order.
    private @Nullable Runnable findRunnable() {
        Processor processor = owned();
        if (kernel.isStopping()) {
            giveUpForStop();
            return null;
        }
        if (rescuedCount > 0) {
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

    /// Own queue, and the global queue where fairness asks for it.
    private @Nullable Runnable localWork(Processor processor) {
        inheritTime = false;
        if (processor.preempt) {
            endTimeSlice(processor);
        }
        if (processor.schedTick % GLOBAL_CHECK_TICKS == 0 && !kernel.isGlobalEmpty()) {
            Runnable entry = kernel.takeOneFromGlobal();
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
        if (head != null) {
            return head;
        }
        return kernel.refillFromGlobal(processor) ? processor.runQueue.takeHead() : null;
    }

    /// The slice is over: whoever would inherit it goes to the end of the global queue. Without this a chain of
    /// goroutines that each start the next, or a pair, would keep everybody else of this processor waiting (N8).
    private void endTimeSlice(Processor processor) {
        processor.preempt = false;
        processor.schedTick++;
        Runnable next = processor.runQueue.peekNext();
        if (next != null && kernel.tryPutGlobal(processor.runQueue, next)) {
            kernel.spin.wakeProcessor(this, /* onlyRunNext= */ false);
        }
    }

    /// Steals, and failing that gives the processor up and sleeps. Null: look again.
    private @Nullable Runnable lookElsewhere(Processor processor) {
        if (processor.stalled != null) {
            return retryStalled(processor);
        }
        if (spinning || 2 * kernel.spin.spinning() < kernel.procs() - kernel.idleProcessors()) {
            if (!spinning) {
                kernel.spin.becomeSpinning(this);
                napsSince = 0;
            }
            Runnable stolen = stealWork(processor);
            if (stolen != null || kernel.isStopping() || processor.hasWork()) {
                return stolen;
            }
            if (nap(processor)) {
                return null;
            }
        }
        return goIdle(processor);
    }

    /// No shell could be made: waits a moment for memory, then tries the oldest again.
    private @Nullable Runnable retryStalled(Processor processor) {
        dropToken();
        Jdk.parkCarrier(1_000_000);
        boolean _ = Thread.interrupted();
        Goroutine goroutine = processor.stalled;
        if (goroutine != null) {
            processor.stalled = goroutine.stalledNext;
            goroutine.stalledNext = null;
        }
        return goroutine;
    }

    /// Four rounds over all processors in random order. Null also if timers ran and made something runnable here.
    /// Go: stealWork.
    private @Nullable Runnable stealWork(Processor processor) {
        ProcessorSet set = kernel.processors();
        StealOrder order = set.order();
        for (int round = 0; round < STEAL_ROUNDS; round++) {
            boolean last = round == STEAL_ROUNDS - 1;
            for (long at = order.start(nextRandom()); !StealOrder.isDone(at); at = order.next(at)) {
                if (kernel.isStopping()) {
                    return null;
                }
                Processor victim = set.all()[StealOrder.position(at)];
                if (victim == processor) {
                    continue;
                }
                if (last && runDueTimers(victim) && processor.hasWork()) {
                    return processor.runQueue.get();
                }
                if (victim.isIdle()) {
                    continue;
                }
                boolean includeNext = last && victim.runQueue.size() == 0 && standsStill(victim);
                Runnable stolen = processor.runQueue.stealFrom(victim.runQueue, kernel.stealPolicy(), includeNext);
                if (stolen != null) {
                    processor.steals++;
                    processor.stolen += 1 + processor.runQueue.size();
                    return stolen;
                }
            }
        }
        return null;
    }

    /// Whether the victim has a runNext and has not switched for a while: then its owner is not about to run it.
    private static boolean standsStill(Processor victim) {
        if (!victim.runQueue.hasNext()) {
            return false;
        }
        Machine owner = victim.machine;
        if (owner == null || Word.state(owner.word) == Word.SYSCALL) {
            return true;
        }
        long switches = victim.switches;
        long since = System.nanoTime();
        while (System.nanoTime() - since < STOOD_STILL_NANOS) {
            Thread.onSpinWait();
        }
        VarHandle.acquireFence(); // read the counter anew
        return victim.switches == switches && victim.runQueue.hasNext();
    }

    /// A moment's sleep, still counted as spinning: see SpinCoordinator, Naps. True if it slept, or has to look
    /// again.
    private boolean nap(Processor processor) {
        long now = System.nanoTime();
        if (napsSince == 0) {
            napsSince = now;
        }
        long napping = now - napsSince;
        if (napping > ALL_NAPS_NANOS || !kernel.mayNap() || !othersSwitch(processor)) {
            return false;
        }
        if (!kernel.spin.announceNap(this)) {
            return false;
        }
        naps++;
        ownWord = Word.next(ownWord, Word.NAP);
        WORD.setVolatile(this, ownWord);
        if (!kernel.hasVisibleWork()) {
            Jdk.parkCarrier(Math.clamp(napping, FIRST_NAP_NANOS, LAST_NAP_NANOS));
            boolean _ = Thread.interrupted();
        }
        kernel.spin.withdrawNap(this);
        wakeUp();
        return true;
    }

    /// NAP to KERNEL, unless the processor was taken meanwhile.
    private boolean wakeUp() {
        long kernelWord = Word.withState(ownWord, Word.KERNEL);
        Chaos.point();
        if (WORD.compareAndSet(this, ownWord, kernelWord)) {
            ownWord = kernelWord;
            return true;
        }
        processorLost();
        return false;
    }

    /// Whether some other processor is running things one after the other: only then may something turn up soon.
    private boolean othersSwitch(Processor own) {
        Processor[] all = kernel.processors().all();
        long before = sumOfSwitches(all, own);
        for (int i = 0; i < 20; i++) {
            Thread.onSpinWait();
        }
        VarHandle.acquireFence(); // read the counters anew
        return sumOfSwitches(all, own) != before;
    }

    private static long sumOfSwitches(Processor[] all, Processor own) {
        long sum = 0;
        for (Processor other : all) {
            if (other != own && !other.isIdle()) {
                sum += other.switches;
            }
        }
        return sum;
    }

    // ---- going idle: SpinCoordinator, steps R2 to R5

    private @Nullable Runnable goIdle(Processor processor) {
        processor.runQueue.clearDead();
        kernel.lock();
        if (kernel.isStopping()) {
            kernel.unlock();
            return null; // findRunnable gives the processor up
        }
        if (!kernel.isGlobalEmpty()) {
            kernel.unlock();
            return null;
        }
        if (!spinning && kernel.spin.needSpinning() != 0) {
            kernel.unlock();
            kernel.spin.becomeSpinning(this);
            napsSince = 0;
            return null;
        }
        release();
        kernel.putIdle(processor);
        kernel.unlock();
        Chaos.point();
        boolean wasSpinning = spinning;
        if (wasSpinning) {
            kernel.spin.stopSpinning(this); // R3
        }
        Chaos.point();
        if ((wasSpinning && kernel.hasAnyWork()) || kernel.spin.needSpinning() != 0) { // R4
            Processor again = kernel.takeIdle(processor);
            if (again != null) {
                acquireIdle(again);
                kernel.spin.becomeSpinning(this);
                napsSince = 0;
                return null;
            }
        }
        sleep();
        return null;
    }

    private void acquireIdle(Processor processor) {
        acquire(processor);
        kernel.wakeMonitor();
    }

    /// Without a processor: sleeps until the next timer if nobody else does, or until a processor is granted.
    private void sleep() {
        if (kernel.sleeper.sleepUntilNextTimer(this)) {
            Processor again = kernel.takeIdle(oldP);
            if (again != null) {
                acquireIdle(again);
                return;
            }
        }
        stopMachine();
    }

    private boolean takePending() {
        kernel.lock();
        Processor pending = kernel.takePending();
        if (pending != null) {
            spinning = pending.pendingSpinning;
            acquire(pending);
        }
        kernel.unlock();
        return pending != null;
    }

    /// The processor was lost in user code: another one, the old one first, or sleep. False: the machine retires.
    /// It must not simply stop: what its thread registered while it had no processor may have no one to wait for it
    /// (N3); with a processor it leaves through the whole of [#goIdle].
    private boolean acquireProcessor() {
        dropToken();
        if (rescuedCount > 0) {
            drainRescued();
        }
        if (takePending()) {
            return true;
        }
        Processor idle = kernel.takeIdle(oldP);
        if (idle != null) {
            acquireIdle(idle);
            return true;
        }
        stopMachine();
        return p != null;
    }

    private void dropToken() {
        if (spinning) {
            kernel.spin.stopSpinning(this);
            kernel.spin.needOneMore(); // what was not announced because of this token still has to be looked for
        }
    }

    /// The world stops: gives the processor to the stopper.
    private void giveUpForStop() {
        dropToken();
        kernel.lock();
        if (kernel.isStopping()) {
            kernel.stopped(release());
        }
        kernel.unlock();
    }

    /// Parks in the idle list until a processor is granted. Returns without one when the machine retires. Go: stopm.
    private void stopMachine() {
        while (true) {
            kernel.lock();
            Processor pending = kernel.takePending();
            if (pending != null) {
                spinning = pending.pendingSpinning;
                acquire(pending);
                kernel.unlock();
                return;
            }
            ownWord = Word.next(word, 0, Word.NONE);
            WORD.setVolatile(this, ownWord);
            kernel.putIdleMachine(this);
            kernel.unlock();
            if (!parkUntilGranted()) {
                return;
            }
            if (p != null) {
                return;
            }
            dropToken(); // granted and taken away again before it woke
        }
    }

    /// True when the word changed: the processor was granted, or granted and taken again. False: retired.
    private boolean parkUntilGranted() {
        long deadline = System.nanoTime() + kernel.idleMachineNanos();
        while (true) {
            long now = word;
            if (Word.state(now) != Word.NONE) {
                ownWord = now;
                if (Word.state(now) == Word.NAP) {
                    p = granted;
                    wakeUp();
                }
                granted = null;
                return true;
            }
            long left = deadline - System.nanoTime();
            if (left <= 0 || kernel.isEnded()) {
                if (kernel.retire(this)) {
                    return false;
                }
                deadline = System.nanoTime() + kernel.idleMachineNanos();
                continue;
            }
            parks++;
            Jdk.parkCarrier(left);
            boolean _ = Thread.interrupted(); // anyone can interrupt a carrier: it must not make us spin (N22)
        }
    }

    // ---- timers

    /// Runs due timers of a processor, its own or a victim's; what becomes runnable goes to this machine's processor.
    /// The callbacks run outside the heap's lock. Go: timers.check.
    private boolean runDueTimers(Processor processor) {
        long next = processor.timers.nextWhen();
        if (next == Long.MAX_VALUE) {
            return false;
        }
        long now = kernel.now();
        if (!processor.timers.hasWork(now)) {
            return false;
        }
        int count = takeDue(processor, now);
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

    private int takeDue(Processor processor, long now) {
        try {
            return processor.timers.takeDue(now, due);
        } catch (OutOfMemoryError failure) {
            kernel.countRepair(failure); // the timers are still there: tried again at the next look
            return 0;
        }
    }

    private void fire(TimerEntry timer) {
        try {
            timer.fire();
        } catch (Throwable failure) {
            kernel.timerFailed(this, failure);
        }
    }

    // ---- declared blocking

    @Override
    public boolean beginBlocking() {
        return false;
    }

    @Override
    public void endBlocking() {
        // nothing was begun
    }

    int nextRandom() {
        int x = random;
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
        random = x;
        return x;
    }

    @Override
    public String toString() {
        return "M" + id + "[" + Word.toString(word) + (spinning ? ", spinning" : "") + "]";
    }
}
