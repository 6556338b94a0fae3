package dev.heddle.internal.kernel;

import dev.heddle.internal.event.CoarseClock;
import dev.heddle.internal.jdk.Jdk;

/// Where the thread that is mounted on one machine yields, because its time slice is over or its processor was taken.
/// Go: the stack check in function prologues (preemptone, asyncPreempt), Gosched, sync_runtime_canSpin.
final class Preemption {
    /*
     * Slice.      The system monitor asks for a yield (Processor.endSlice). The JVM cannot stop a thread anywhere, so
     *             the request is honoured where the thread passes the scheduler anyway: at the scheduling points of the
     *             API (checkpoint), when it starts another thread, at the next switch, and at the preemption points that
     *             the agent may weave into loops (PreemptionPoint).
     * Hog.        A thread that reaches no such point loses its processor (Retaker) and computes on without one. At its
     *             next point it finds that out and yields: it waits in the global queue like any other thread.
     * Point.      A hog may pass a preemption point a billion times a second, so a point that could not yield, because
     *             the thread is pinned, is paused for a while.
     * Racy.       The checks run in user code. The thread is not pinned, so it may move to another machine at any call;
     *             the consequence is a superfluous yield, or one that comes a little later.
     */

    /// A pinned thread tries to yield at most once in this time: each attempt costs half a microsecond and fails.
    private static final long PAUSE_NANOS = 10_000_000;

    private final Machine machine;
    private final Kernel kernel;

    /// Preemption points do not try to yield for a while, because the thread was pinned. Own thread only.
    private boolean arePointsPaused;

    private long pausedAt;

    Preemption(Machine machine, Kernel kernel) {
        this.machine = machine;
        this.kernel = kernel;
    }

    /// A scheduling point of the API: a thread yields if its time slice is over or its machine lost its
    /// processor. Any thread.
    static void checkpoint() {
        if (Jdk.currentCarrierThread() instanceof Machine machine && machine.preemption.shouldYieldAtCheckpoint()) {
            EntryPoints.yieldSlice();
        }
    }

    /// See [#canSpin(Processor)]. Any thread.
    static boolean canSpin() {
        return Jdk.currentCarrierThread() instanceof Machine machine && machine.preemption.canSpinHere();
    }

    // ---- whether to yield

    /// Whether the mounted thread should yield: its slice is over, or its processor was taken, for whatever
    /// reason. False if the thread gave the processor away itself. In user code, where only the word tells
    /// whether the machine still owns the processor.
    boolean shouldYield() {
        Processor processor = machine.p;
        int state = Word.state(machine.word());
        return processor == null || state == Word.LOST || state == Word.NONE
                ? !machine.blocking.isGivenAway
                : processor.isYieldRequested();
    }

    /// [#shouldYield] at a scheduling point of the API. Counts the point for the system monitor.
    private boolean shouldYieldAtCheckpoint() {
        Processor processor = machine.p;
        if (processor != null) {
            processor.points++;
        }
        return shouldYield();
    }

    /// [#shouldYield] at a preemption point.
    boolean shouldYieldAtPoint() {
        if (!shouldYield()) {
            return false;
        }
        if (arePointsPaused) {
            arePointsPaused = CoarseClock.nanos() - pausedAt < PAUSE_NANOS;
        }
        return !arePointsPaused;
    }

    /// The thread was asked to yield at a preemption point and could not, because it is pinned. It is not asked
    /// again for a while.
    void pausePoints() {
        arePointsPaused = true;
        pausedAt = CoarseClock.nanos();
    }

    // ---- Go.gosched

    /// A cheap check whether other threads are runnable here. If so, the caller need not ask [#tryStay]. On this
    /// carrier.
    boolean seesOthers() {
        Processor processor = machine.p;
        return processor != null && processor.hasOwnWork();
    }

    /// Whether the mounted thread would run next even if it yielded. If so, it gets a new slice and need not
    /// unmount. In the kernel.
    boolean tryStay() {
        Processor processor = machine.p;
        if (processor == null || !isAlone(processor)) {
            return false;
        }
        processor.beginSlice();
        return true;
    }

    private boolean isAlone(Processor processor) {
        return !processor.isYieldRequested()
                && !machine.mustEnd()
                && machine.rescue.entries == null
                && !processor.hasOwnWork()
                && kernel.globalQueue.isEmpty()
                && !kernel.isStopping()
                && !kernel.timers.isDue(processor)
                && kernel.rounds.mayGoOn(processor);
    }

    // ---- spinning before a park

    private boolean canSpinHere() {
        Processor processor = machine.p;
        return processor != null && canSpin(processor);
    }

    /// Whether the mounted thread, which has to wait for another thread, should spin briefly before it parks.
    /// It should if no other thread waits for its processor and the other thread may be running on another
    /// processor. Racy.
    /// Go: sync_runtime_canSpin.
    boolean canSpin(Processor processor) {
        return !processor.hasWork() && kernel.procs() - kernel.idle.idleProcessors() - kernel.spin.spinning() > 1;
    }
}
