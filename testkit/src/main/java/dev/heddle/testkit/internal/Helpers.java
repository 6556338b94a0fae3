package dev.heddle.testkit.internal;

import dev.heddle.internal.jdk.Jdk;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Threads outside of a bubble that the test has woken: workers of a pool, for example, that was there before. They may
/// work for the test until they wait again where they waited before.
///
/// All methods are called on the bubble's carrier or on the stack of one of its threads.
final class Helpers {
    /*
     * A thread that was unparked is still seen waiting until the operating system runs it. So a platform thread counts
     * as busy until the JVM has counted one more wait of it. A virtual thread leaves its waiting state at once.
     *
     * A thread that waits for a lock gets the lock when it is woken, and no work. Threads of two tests that print at
     * the same time wake each other in this way.
     */

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long SLICE_NANOS = 100_000;
    private static final String LOCKS = "java.util.concurrent.locks.";

    /// @param wasWaiting whether it waited when it was woken
    /// @param waitedOn   the blocker of that wait
    /// @param waits      how often it had waited by then
    /// @param place      where the test woke it
    private record Helper(
            Thread thread, boolean wasWaiting, @Nullable Object waitedOn, long waits, String place) {

        boolean isBusy() {
            Thread.State state = thread.getState();
            boolean isWaiting = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
            boolean isDone = isWaiting
                    && (!wasWaiting || LockSupport.getBlocker(thread) == waitedOn)
                    && (thread.isVirtual() || waitsOf(thread) > waits);
            return state != Thread.State.TERMINATED && !isDone;
        }

        @Override
        public String toString() {
            return "the thread " + Frames.nameOf(thread) + ", which the test wakes at " + place;
        }
    }

    private final List<Helper> helpers = new ArrayList<>();

    /// Whether the object is a lock, so that a thread that waits for it waits for its holder only.
    static boolean isLock(@Nullable Object blocker) {
        return blocker instanceof StampedLock
                || (blocker instanceof AbstractOwnableSynchronizer
                        && blocker.getClass().getName().startsWith(LOCKS));
    }

    private static long waitsOf(Thread platformThread) {
        ThreadInfo info = THREADS.getThreadInfo(platformThread.threadId());
        return info == null ? Long.MAX_VALUE : info.getWaitedCount();
    }

    /// The test is about to wake a thread outside.
    void add(Thread thread, String place) {
        Thread.State state = thread.getState();
        boolean isWaiting = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        long waits = thread.isVirtual() ? 0 : waitsOf(thread);
        helpers.removeIf(helper -> helper.thread == thread);
        helpers.add(new Helper(thread, isWaiting, LockSupport.getBlocker(thread), waits, place));
    }

    /// Whether one of them may still work for the test.
    boolean isAnyBusy() {
        helpers.removeIf(helper -> !helper.isBusy());
        return !helpers.isEmpty();
    }

    /// Waits in real time until none is busy. On the carrier, between two schedules.
    void await(long limitNanos) {
        long start = System.nanoTime();
        while (isAnyBusy() && System.nanoTime() - start < limitNanos) {
            Jdk.parkSelf(SLICE_NANOS);
        }
    }

    /// Those that were busy when that was last asked.
    @Override
    public String toString() {
        return helpers.stream().map(Helper::toString).collect(Collectors.joining(", "));
    }
}
