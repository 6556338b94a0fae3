package dev.heddle.internal.jdk;

import java.util.Arrays;
import java.util.TimerTask;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/// The tasks of a timer whose time has come, but which no thread runs: of a `ScheduledThreadPoolExecutor` or of a
/// `java.util.Timer`. Read without the timer's lock, so the answer is approximate.
///
/// @param count      how many
/// @param lateMillis for how long the first of them has been due; 0 if there is none
public record DueTasks(int count, long lateMillis) {

    private static final Unsafe U = Unsafe.getUnsafe();

    /// The most tasks that are looked at. More than that are a backlog in any case.
    private static final int TASKS = 10_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /// `TimerTask.CANCELLED`. Such a task stays in the queue until its time comes, and a thread looks at it.
    private static final int CANCELLED = 3;

    /// Linked on first use, as in [ThreadSnapshotter].
    private static final class Fields {
        static final Class<?> DELAYED =
                Jdk.classNamed("java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue");
        static final Class<?> FUTURE =
                Jdk.classNamed("java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask");
        static final Class<?> TIMER_QUEUE = Jdk.classNamed("java.util.TaskQueue");
        static final long FUTURES = U.objectFieldOffset(DELAYED, "queue");
        static final long FUTURE_TIME = U.objectFieldOffset(FUTURE, "time");
        static final long TIMER_TASKS = U.objectFieldOffset(TIMER_QUEUE, "queue");
        static final long TIMER_TIME = U.objectFieldOffset(TimerTask.class, "nextExecutionTime");
        static final long TIMER_STATE = U.objectFieldOffset(TimerTask.class, "state");
    }

    /// Of an executor. A cancelled task that is still in the queue does not count.
    static DueTasks of(ScheduledThreadPoolExecutor executor) {
        Object queue = executor.getQueue();
        if (!Fields.DELAYED.isInstance(queue)) {
            return new DueTasks(0, 0); // a queue of a subclass
        }
        long now = System.nanoTime();
        int count = 0;
        long late = 0;
        for (Object task : array(queue, Fields.FUTURES)) {
            if (Fields.FUTURE.isInstance(task) && task instanceof FutureTask<?> future && !future.isCancelled()) {
                long nanos = now - U.getLongVolatile(future, Fields.FUTURE_TIME);
                count += nanos > 0 ? 1 : 0;
                late = Math.max(late, nanos / NANOS_PER_MILLI);
            }
        }
        return new DueTasks(count, late);
    }

    /// Of a `java.util.Timer`. A cancelled task does not count here either.
    ///
    /// @param queue the queue of the timer's thread, as [ThreadPools#poolOf] returns it
    static DueTasks ofTimer(Object queue) {
        long now = System.currentTimeMillis();
        int count = 0;
        long late = 0;
        for (Object task : array(queue, Fields.TIMER_TASKS)) {
            if (task != null && U.getIntVolatile(task, Fields.TIMER_STATE) != CANCELLED) {
                long time = U.getLongVolatile(task, Fields.TIMER_TIME);
                boolean isDue = time > 0 && time < now; // 0: it has not been scheduled yet
                count += isDue ? 1 : 0;
                late = isDue ? Math.max(late, now - time) : late;
            }
        }
        return new DueTasks(count, late);
    }

    static boolean isTimer(Object pool) {
        return Fields.TIMER_QUEUE.isInstance(pool);
    }

    private static @Nullable Object[] array(Object queue, long offset) {
        Object[] tasks = (Object[]) U.getReferenceVolatile(queue, offset);
        return tasks.length <= TASKS ? tasks : Arrays.copyOf(tasks, TASKS);
    }
}
