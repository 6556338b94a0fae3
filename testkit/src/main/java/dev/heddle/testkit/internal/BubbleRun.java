package dev.heddle.testkit.internal;

import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.ThreadState;
import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Escapes;
import dev.heddle.testkit.FailureKind;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.Time;
import dev.heddle.testkit.internal.choose.Chooser;
import dev.heddle.testkit.internal.choose.RunnableSet;
import dev.heddle.testkit.internal.weave.Points;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One schedule of one test: a scheduler of virtual threads with one carrier, a seeded choice and a clock of its own.
///
/// The carrier is the thread that called [Bubble#check].
final class BubbleRun {
    /*
     * The loop.   arrive; run the timers that are due; choose a runnable thread; resume it until it unmounts; again. If
     *             no thread is runnable: wake the threads in settle(), or else move the clock to the next timer, or else
     *             the test hangs.
     *
     * Points.     Woven code calls `atPoint` on the stack of the running thread. If another thread is chosen there, it is
     *             remembered in `forced` and the running one yields. The loop then resumes `forced` without a new choice.
     *
     * Whose code. `ready`, `schedule` and `atPoint` run on the stacks of the test's threads. They take no lock and
     *             never park: a park there would park the virtual thread. See BubbleThreads for arrivals.
     */

    /// When threads are taken to wait in a loop. A thread that passes so many points without a switch, or reads
    /// the clock so often without waiting: each further one then takes a microsecond, and at a point another
    /// thread gets its turn. If so many steps end in yields, and nothing else happens: the clock moves as if
    /// all threads waited.
    private static final int BUSY_AFTER = 1000;

    private static final long BUSY_NANOS = 1000;

    /// Steps that threads may take after the end of the test.
    private static final int MAX_STEPS_AFTER_END = 10_000;

    final Options options;
    final long seed;
    final Points points;
    final VirtualClock clock = new VirtualClock();
    final Trace trace = new Trace();
    final FaultPlan faults;
    final Outside outside = new Outside();
    final PinnedWaits pinned = new PinnedWaits(this);
    final BubblePool pool = new BubblePool(this);
    final SplittableRandom random; // of the program's own generators that have no seed
    final Bubble bubble = new LiveBubble(this);

    private final Chooser chooser;
    private final @Nullable Story story;
    private final BubbleThreads threads;
    private final RunnableSet runnable;
    private final Notifications notifications;
    private final OutsideWaits outsideWaits;
    private final List<Settler> settlers = new ArrayList<>();

    private int last = Chooser.NONE;
    private int forced = Chooser.NONE;
    private int busy; // points of the current thread since it was resumed
    private int yields; // steps in a row that ended in a yield
    private int endStep = -1;
    private int resumes;
    private boolean hasYieldedAtPoint;
    private boolean isTryingToUnmount;
    private boolean hasEscaped;
    private @Nullable Failure failure;

    /// A thread that waits for all others to wait.
    static final class Settler {
        final Thread thread = Thread.currentThread();
        volatile boolean isSettled;
    }

    BubbleRun(Options options, Points points, long seed, Chooser chooser, @Nullable Story story) {
        this.options = options;
        this.points = points;
        this.seed = seed;
        this.chooser = chooser;
        this.story = story;
        faults = new FaultPlan(Seeds.of(seed, -2));
        random = new SplittableRandom(Seeds.of(seed, -3));
        threads = new BubbleThreads(seed, chooser, clock, faults);
        runnable = threads.runnable;
        notifications = new Notifications(this, threads, chooser, story);
        outsideWaits = new OutsideWaits(this, threads);
        pool.setOwner(new BubbleCore(this));
    }

    /// Runs the schedule. The reason if it failed, otherwise null.
    @Nullable
    Failure run(Bubble.Body body) {
        Hooks.enter(this);
        try {
            Thread test = Jdk.newVirtualThread(pool, "test", 0, () -> runTest(body));
            pool.setFirstThread(test);
            test.start();
            while (threads.live() > 0 && failure == null && !isDropped()) {
                step();
            }
        } finally {
            pool.end();
            Hooks.leave(this);
            threads.forget();
            outside.awaitHelpers();
        }
        return failure;
    }

    private void runTest(Bubble.Body body) {
        try {
            body.run(bubble);
        } catch (Throwable thrown) {
            fail(FailureKind.TEST, Frames.sentence(thrown), thrown);
        }
        endStep = trace.steps();
    }

    /// Whether the test has ended and does not care about threads that are left.
    private boolean isDropped() {
        return !options.leaks() && endStep >= 0;
    }

    private void step() {
        BubbleThread notified = notifications.next();
        if (notified != null) {
            handOver(notified);
            return;
        }
        threads.arrive();
        outsideWaits.requireNoStranger();
        clock.runDue();
        if (runnable.isEmpty()) {
            idle();
            return;
        }
        if (yields > BUSY_AFTER && clock.hasFuture()) {
            yields = 0;
            clock.jump();
            return;
        }
        int next = forced == Chooser.NONE ? choose(Chooser.NONE) : forced;
        forced = Chooser.NONE;
        if (next == Chooser.CLOCK) {
            clock.jump();
        } else if (failure == null) {
            resume(threads.all().get(next));
        }
    }

    /// From a thread that notifies to the one that it wakes, and back. See Notifications.
    private void handOver(BubbleThread notified) {
        BubbleThread notifier = threads.all().get(last);
        if (notifications.endWait(notified)) {
            resume(notified);
        }
        resume(notifier);
    }

    private void resume(BubbleThread thread) {
        last = thread.number;
        busy = 0;
        hasYieldedAtPoint = false;
        resumes++;
        int step = trace.steps() - 1;
        int state = threads.resume(thread);
        while (isTryingToUnmount && state == ThreadState.YIELDED) {
            resumes++;
            state = threads.resume(thread);
        }
        if (state == ThreadState.YIELDED) {
            yields = hasYieldedAtPoint ? 0 : yields + 1;
        } else {
            yields = 0;
            thread.clockReads = 0;
        }
        if (story != null && notifications.next() == null) {
            story.ran(this, thread, step, state, hasYieldedAtPoint);
        }
    }

    // ---- choices

    /// Records one choice. On the carrier, or on the stack of `self`.
    private int choose(int self) {
        if (trace.steps() >= limit()) {
            tooManySteps();
            return self == Chooser.NONE ? runnable.get(0) : self;
        }
        boolean mayTimePass = options.time() == Time.ANY && clock.hasFuture();
        if (mayTimePass) {
            runnable.add(Chooser.CLOCK);
        }
        int next = chooser.choose(runnable, self, last, trace.steps());
        trace.add(next, runnable.size(), clock.now());
        if (mayTimePass) {
            runnable.remove(Chooser.CLOCK);
        }
        if (faults.isAtSteps()) {
            injectFaults();
        }
        return next;
    }

    private int limit() {
        return endStep < 0 ? options.maxSteps() : Math.min(options.maxSteps(), endStep + MAX_STEPS_AFTER_END);
    }

    private void tooManySteps() {
        if (endStep < 0) {
            fail(FailureKind.LIVELOCK, "the test did not end within " + limit() + " steps (maxSteps)", null);
        } else {
            fail(
                    FailureKind.LEAK,
                    leaked() + " still at work " + MAX_STEPS_AFTER_END + " steps after the test ended",
                    null);
        }
    }

    /// Woven before accesses to shared memory. Whether the current thread must yield now.
    boolean atPoint() {
        BubbleThread self = threads.current();
        if (self == null || self.thread != Thread.currentThread()) {
            return false;
        }
        boolean isBusy = ++busy > BUSY_AFTER;
        if (isBusy) {
            clock.pass(BUSY_NANOS);
            if (busy > options.maxSteps()) {
                tooManySteps();
            }
        }
        if (failure != null) {
            return yieldAtPoint(Chooser.NONE); // never resumed
        }
        threads.arrive();
        if (isBusy && clock.isDue()) {
            return yieldAtPoint(Chooser.NONE);
        }
        if (runnable.isEmpty() && !(options.time() == Time.ANY && clock.hasFuture())) {
            return false;
        }
        if (isBusy) {
            return yieldAtPoint(Chooser.NONE); // a turn for each of the others, whatever the strategy
        }
        runnable.add(self.number);
        int next = choose(self.number);
        runnable.remove(self.number);
        return next != self.number && yieldAtPoint(next);
    }

    private boolean yieldAtPoint(int next) {
        forced = next;
        hasYieldedAtPoint = true;
        return true;
    }

    /// The yield at a point did nothing, because the thread is pinned: it goes on.
    void yieldFailed() {
        forced = Chooser.NONE;
        hasYieldedAtPoint = false;
    }

    /// Whether the current thread cannot unmount. It tries: the loop resumes it at once, and the strategy is not
    /// told. (`Continuation.isPinned` says yes if the thread holds a monitor.)
    boolean isPinned() {
        int before = resumes;
        threads.beginHandOver();
        isTryingToUnmount = true;
        Thread.yield();
        isTryingToUnmount = false;
        threads.endHandOver();
        return resumes == before;
    }

    /// The current thread is about to call Object.wait.
    void waits(Object monitor) {
        threads.waits(monitor);
    }

    /// Woven instead of Object.notify. False if there is no choice, so that the JVM's own is right.
    boolean notifyOne(Object monitor) {
        return notifications.wakeOne(monitor);
    }

    /// Whether the code that asks runs on the stack of the thread that was resumed.
    boolean isRunning(Thread thread) {
        BubbleThread current = threads.current();
        return current != null && current.thread == thread;
    }

    /// A read of the clock, on the carrier or on the stack of one of its threads.
    void clockRead() {
        BubbleThread current = threads.current();
        if (current != null && ++current.clockReads > BUSY_AFTER) {
            clock.pass(BUSY_NANOS);
        }
    }

    /// A thread became runnable. Any thread.
    void ready(Runnable resumeTask) {
        threads.ready(resumeTask);
    }

    // ---- when all threads wait

    private void idle() {
        if (!settlers.isEmpty()) {
            wakeSettlers();
        } else if (outsideWaits.hasWaitedBeforeJump()) {
            return; // and look again
        } else if (clock.nextDue() != null) {
            clock.jump();
        } else if (outsideWaits.hasWaitedForMonitor()) {
            return;
        } else if (endStep < 0) {
            int live = threads.live();
            String all = live == 1 ? "the test waits" : "all " + live + " threads wait";
            fail(FailureKind.DEADLOCK, all + " and no timer is set", null);
        } else {
            fail(FailureKind.LEAK, leaked() + " left at the end of the test, and nothing will wake them", null);
        }
    }

    private String leaked() {
        return threads.live() == 1 ? "1 thread is" : threads.live() + " threads are";
    }

    private void wakeSettlers() {
        List<Settler> all = List.copyOf(settlers);
        settlers.clear();
        for (Settler settler : all) {
            settler.isSettled = true;
            LockSupport.unpark(settler.thread);
        }
    }

    void add(Settler settler) {
        settlers.add(settler);
    }

    // ---- timers

    /// The JDK's own timeouts and those of Heddle's API are short and run on the carrier; others get a thread.
    CarrierPool.Timeout schedule(Runnable command, long delayNanos) {
        String name = command.getClass().getName();
        boolean isShort = name.startsWith("java.lang.VirtualThread") || name.startsWith("dev.heddle.");
        return clock.schedule(
                isShort
                        ? command
                        : () -> Jdk.newVirtualThread(pool, null, 0, command).start(),
                delayNanos + faults.lateness());
    }

    // ---- faults

    private void injectFaults() {
        if (faults.isInterruptDue()) {
            BubbleThread victim = threads.anyWaiting();
            if (victim != null) {
                victim.thread.interrupt();
            }
        }
        if (faults.isWakeUpDue()) {
            BubbleThread victim = threads.anyWaiting();
            if (victim != null) {
                threads.wake(victim);
            }
        }
    }

    // ---- failures

    /// The first failure counts.
    void fail(FailureKind kind, String sentence, @Nullable Throwable cause) {
        if (failure == null) {
            BubbleThread current = threads.current();
            failure = new Failure(kind, sentence, cause, current == null ? -1 : current.number);
        }
    }

    /// Something outside acts on the test, which need not do the same again.
    void escaped() {
        hasEscaped = true;
    }

    void failOutside(String sentence) {
        escaped();
        fail(FailureKind.ESCAPE, sentence, null);
    }

    boolean hasFailed() {
        return failure != null;
    }

    void threadFailed(Thread thread, Throwable thrown) {
        BubbleThread known = threads.find(thread);
        String label = known == null ? thread.toString() : known.label();
        fail(FailureKind.THREAD, label + " ended with " + Frames.sentence(thrown), thrown);
    }

    /// Whether the test has left the bubble: then it need not do the same again.
    boolean hasEscaped() {
        return hasEscaped;
    }

    /// The test does something that leaves the bubble. Returns if that is allowed.
    void escape(String deed, String remedy) {
        hasEscaped = true;
        if (options.escapes() == Escapes.FAIL) {
            String sentence =
                    deed + " at " + Frames.userFrame(Thread.currentThread().getStackTrace(), points)
                            + ", which is outside of the bubble: " + remedy + ", or allow it with escapes = WAIT";
            EscapeError error = new EscapeError(sentence);
            fail(FailureKind.ESCAPE, sentence, error);
            throw error;
        }
    }

    /// The test wakes a thread that is not of this bubble.
    void wakesOutside(Thread thread) {
        boolean isOfNoBubble = !(Jdk.poolOf(thread) instanceof BubblePool) && !Jdk.isCarrier(thread);
        if (isOfNoBubble && thread != carrier() && !Helpers.isLock(LockSupport.getBlocker(thread))) {
            outside.addHelper(thread, Frames.userFrame(Thread.currentThread().getStackTrace(), points));
        }
    }

    // ---- what others ask

    Thread carrier() {
        return threads.carrier();
    }

    @Nullable
    BubbleThread mounted() {
        return threads.current();
    }

    /// How often a thread was resumed.
    int resumes() {
        return resumes;
    }

    int runnableCount() {
        return runnable.size();
    }

    int liveCount() {
        return threads.live();
    }

    int steps() {
        return trace.steps();
    }

    List<BubbleThread> threads() {
        return threads.all();
    }

    @Nullable
    BubbleThread find(@Nullable Thread thread) {
        return threads.find(thread);
    }
}
