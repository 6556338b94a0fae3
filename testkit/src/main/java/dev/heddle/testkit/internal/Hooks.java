package dev.heddle.testkit.internal;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.FailureKind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Delayed;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// What woven code asks: outside of a bubble each hook does what the JDK does.
///
/// The question is always which *carrier* runs the code, not whether it runs on a virtual thread: callbacks of timers
/// run on the carrier itself, and must see the same clock.
public final class Hooks {

    /// Marks a method that woven code calls.
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    private @interface Hook {}

    /// The runs of all bubbles, one for each carrier; few. Replaced, never changed.
    private static volatile BubbleRun[] running = {};

    /// Threads that the JVM's unblocker has taken from its list and not made runnable yet.
    private static final AtomicInteger IN_HAND = new AtomicInteger();

    private Hooks() {}

    static List<Method> all() {
        return Arrays.stream(Hooks.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Hook.class))
                .sorted((a, b) -> a.getName().compareTo(b.getName()))
                .toList();
    }

    static MethodHandles.Lookup lookup() {
        return MethodHandles.lookup();
    }

    // ---- which bubble

    static synchronized void enter(BubbleRun run) {
        List<BubbleRun> all = new ArrayList<>(List.of(running));
        all.add(run);
        running = all.toArray(BubbleRun[]::new);
    }

    static synchronized void leave(BubbleRun run) {
        List<BubbleRun> all = new ArrayList<>(List.of(running));
        all.remove(run);
        running = all.toArray(BubbleRun[]::new);
    }

    /// The run whose carrier executes this code, or null.
    private static @Nullable BubbleRun here() {
        BubbleRun[] all = running;
        if (all.length == 0) {
            return null;
        }
        Thread carrier = Jdk.currentCarrierThread();
        for (BubbleRun run : all) {
            if (run.carrier() == carrier) {
                return run;
            }
        }
        return null;
    }

    /// The run that the current thread belongs to; null on its carrier, between threads.
    private static @Nullable BubbleRun inside() {
        BubbleRun run = here();
        return run != null && run.isRunning(Thread.currentThread()) ? run : null;
    }

    public static @Nullable Bubble currentBubble() {
        BubbleRun run = inside();
        return run == null ? null : run.bubble;
    }

    /// A thread of a bubble that has ended became runnable. Whichever bubble woke it shares state with it.
    static void lateArrival(Thread thread) {
        BubbleRun waker = here();
        if (waker != null && !waker.hasFailed()) {
            waker.fail(
                    FailureKind.ESCAPE,
                    "wakes a thread of an earlier schedule (" + Frames.nameOf(thread) + ") at "
                            + Frames.userFrame(Thread.currentThread().getStackTrace(), waker.points)
                            + ": state outlives the schedule, for example a static field; make it anew in each one",
                    null);
        }
    }

    /// Grows while the bubble on a carrier makes steps; -1 if there is none. Racy, for the watchdog.
    static long progressOf(Thread carrier) {
        for (BubbleRun run : running) {
            if (run.carrier() == carrier) {
                return System.identityHashCode(run) * 1_000_000_007L + run.resumes();
            }
        }
        return -1;
    }

    /// The thread that is mounted on a carrier; the carrier itself if there is none. Racy, for the watchdog.
    static Thread mountedOn(Thread carrier) {
        for (BubbleRun run : running) {
            BubbleThread mounted = run.carrier() == carrier ? run.mounted() : null;
            if (mounted != null) {
                return mounted.thread;
            }
        }
        return carrier;
    }

    static boolean isUnblockerBusy() {
        return IN_HAND.get() > 0;
    }

    // ---- the clock

    @Hook
    static long nanoTime() {
        BubbleRun run = here();
        if (run == null) {
            return System.nanoTime();
        }
        run.clockRead();
        return run.clock.nanoTime();
    }

    @Hook
    static long currentTimeMillis() {
        BubbleRun run = here();
        if (run == null) {
            return System.currentTimeMillis();
        }
        run.clockRead();
        return run.clock.currentTimeMillis();
    }

    @Hook
    static long nanoTimeAdjustment(long offsetSeconds) {
        BubbleRun run = here();
        if (run == null) {
            return jdk.internal.misc.VM.getNanoTimeAdjustment(offsetSeconds);
        }
        run.clockRead();
        return run.clock.nanoTimeAdjustment(offsetSeconds);
    }

    // ---- points

    @Hook
    static void point(int classNumber) {
        BubbleRun run = here();
        if (run != null && run.points.covers(classNumber) && run.atPoint()) {
            yieldOrGoOn(run);
        }
    }

    private static void yieldOrGoOn(BubbleRun run) {
        int before = run.resumes();
        Thread.yield();
        if (run.resumes() == before) {
            run.yieldFailed();
        }
    }

    @Hook
    static void spinWait() {
        if (inside() != null) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    // ---- monitors: see BubbleRun, arrivals

    @Hook
    static void takenInHand() {
        IN_HAND.incrementAndGet();
    }

    @Hook
    static void outOfHand() {
        IN_HAND.decrementAndGet();
    }

    /// A call of Object.wait. Whether the bubble has dealt with it.
    @Hook
    static boolean waits(Object monitor, long millis) throws InterruptedException {
        BubbleRun run = inside();
        if (run == null) {
            return false;
        }
        run.waits(monitor);
        return run.pinned.waitFor(monitor, millis);
    }

    @Hook
    static void notifyOne(Object monitor, int classNumber) {
        BubbleRun run = choosing(monitor, classNumber);
        if (run == null || !run.notifyOne(monitor)) {
            monitor.notify();
        }
    }

    /// One after the other, as long as there is a choice.
    @Hook
    static void notifyEach(Object monitor, int classNumber) {
        BubbleRun run = choosing(monitor, classNumber);
        while (run != null && run.notifyOne(monitor)) {
            // the condition notifies
        }
        monitor.notifyAll();
    }

    /// The bubble that chooses whom the caller notifies; null if the JVM does.
    private static @Nullable BubbleRun choosing(Object monitor, int classNumber) {
        BubbleRun run = inside();
        return run != null && run.points.covers(classNumber) && Thread.holdsLock(monitor) ? run : null;
    }

    // ---- pools and threads

    /// The common pool is the bubble's own.
    @Hook
    static ForkJoinPool pool(ForkJoinPool real) {
        BubbleRun run = here();
        return run == null ? real : run.pool;
    }

    /// A delayed task of CompletableFuture: runs in a thread of the bubble.
    @Hook
    static boolean scheduleDelayed(ForkJoinPool pool, Object task) {
        if (!(pool instanceof BubblePool bubble)) {
            return false;
        }
        long delay = ((Delayed) task).getDelay(TimeUnit.NANOSECONDS);
        var _ = bubble.schedule(() -> bubble.execute((Runnable) task), delay, TimeUnit.NANOSECONDS);
        return true;
    }

    @Hook
    static boolean isForkInline() {
        return inside() != null;
    }

    /// The threads of Executors' default factory are virtual ones in a bubble; null elsewhere.
    @Hook
    static @Nullable Thread pooledThread(Runnable task, String prefix, AtomicInteger number) {
        return inside() == null
                ? null
                : Thread.ofVirtual().name(prefix + number.getAndIncrement()).unstarted(task);
    }

    /// How many days the close of an executor waits before it asks again: for ever, in a bubble.
    @Hook
    static long daysUntilClosed() {
        return inside() == null ? 1 : Long.MAX_VALUE;
    }

    @Hook
    static void platformStart(Thread thread) {
        BubbleRun run = inside();
        if (run != null && !thread.isVirtual() && !thread.getName().startsWith("Cleaner-")) {
            String remedy = thread.getClass().getName().equals("java.util.TimerThread")
                    ? "use a ScheduledExecutorService of Executors"
                    : "start a virtual thread, for example by the thread factory Thread.ofVirtual().factory()";
            run.escape("starts the platform thread \"" + thread.getName() + "\"", remedy);
            run.outside.add(thread);
        }
    }

    /// The current thread wakes another, perhaps one outside of the bubble.
    @Hook
    static void unparks(@Nullable Thread thread) {
        BubbleRun run = here();
        if (run != null && thread != null && Jdk.poolOf(thread) != run.pool) {
            run.wakesOutside(thread);
        }
    }

    /// Whether the bubble has dealt with an exception that a thread did not catch.
    @Hook
    static boolean uncaught(Thread thread, Throwable thrown) {
        BubbleRun run = here();
        if (run == null || run.find(thread) == null || Internals.hasOwnHandler(thread)) {
            return false;
        }
        run.threadFailed(thread, thrown);
        return true;
    }

    /// A thread that cannot unmount parks. Whether the bubble has dealt with it.
    @Hook
    static boolean pinned(boolean timed, long nanos) {
        BubbleRun run = inside();
        return run != null && run.pinned.park(timed, nanos);
    }

    // ---- chance

    @Hook
    static long threadIdForRandom(Thread thread) {
        return here() == null ? thread.threadId() : 0;
    }

    /// The same for every caller, in the bubble or not, because it is a hash code.
    @Hook
    static long threadIdForHash(Thread thread) {
        return Jdk.poolOf(thread) instanceof BubblePool bubble ? bubble.relativeId(thread) : thread.threadId();
    }

    /// The seed of a generator that is made without one.
    @Hook
    static long randomSeed(long real) {
        BubbleRun run = inside();
        return run == null ? real : run.random.nextLong();
    }

    @Hook
    static @Nullable Random random() {
        BubbleRun run = inside();
        return run == null ? null : new Random(run.random.nextLong());
    }

    @Hook
    static @Nullable UUID uuid() {
        BubbleRun run = inside();
        if (run == null) {
            return null;
        }
        long high = (run.random.nextLong() & ~0xF000L) | 0x4000L; // version 4
        long low = (run.random.nextLong() >>> 2) | Long.MIN_VALUE; // the variant of the IETF
        return new UUID(high, low);
    }

    // ---- sockets and processes

    @Hook
    static void socketOpened() {
        BubbleRun run = inside();
        if (run != null) {
            run.escape("opens a socket", "test with a pair of streams, or with a fake of the connection");
        }
    }

    @Hook
    static void socketPark() {
        socketParkNanos(0);
    }

    @Hook
    static void socketParkNanos(long nanos) {
        BubbleRun run = inside();
        if (run == null) {
            park(nanos);
            return;
        }
        run.escape("waits for a socket", "test with a pair of streams, or with a fake of the connection");
        run.outside.beginSocketWait();
        try {
            park(nanos);
        } finally {
            run.outside.endSocketWait();
        }
    }

    private static void park(long nanos) {
        if (nanos > 0) {
            LockSupport.parkNanos(nanos);
        } else {
            LockSupport.park();
        }
    }

    @Hook
    static void processStarting() {
        BubbleRun run = inside();
        if (run != null) {
            run.escape("starts a process", "test with a fake of it");
        }
    }

    @Hook
    static void processStarted(Process process) {
        BubbleRun run = inside();
        if (run != null) {
            run.outside.add(process);
        }
    }
}
