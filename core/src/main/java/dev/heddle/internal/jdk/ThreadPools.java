package dev.heddle.internal.jdk;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/// Finds the pool that a thread works for, and reads the pool's figures without its lock, which the program's threads
/// may hold.
public final class ThreadPools {

    private static final Unsafe U = Unsafe.getUnsafe();

    /// The bits of `ThreadPoolExecutor.ctl` that count the workers.
    private static final int COUNT_MASK = (1 << (Integer.SIZE - 3)) - 1;

    /// Linked on first use, as in [ThreadSnapshotter].
    private static final class Fields {
        static final Class<?> WORKER = Jdk.classNamed("java.util.concurrent.ThreadPoolExecutor$Worker");
        static final Class<?> DELAYED =
                Jdk.classNamed("java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue");
        static final Class<?> TIMER_THREAD = Jdk.classNamed("java.util.TimerThread");
        static final long TIMER_QUEUE = U.objectFieldOffset(TIMER_THREAD, "queue");
        static final long EXECUTOR = U.objectFieldOffset(WORKER, "this$0");
        static final long CONTROL = U.objectFieldOffset(ThreadPoolExecutor.class, "ctl");
        static final long HOLDER = U.objectFieldOffset(Thread.class, "holder");
        static final long TASK = U.objectFieldOffset(Jdk.classNamed("java.lang.Thread$FieldHolder"), "task");
        static final long ARRAY_COUNT = U.objectFieldOffset(ArrayBlockingQueue.class, "count");
        static final long DEQUE_COUNT = U.objectFieldOffset(LinkedBlockingDeque.class, "count");
        static final long HEAP_SIZE = U.objectFieldOffset(PriorityBlockingQueue.class, "size");
        static final long DELAYED_SIZE = U.objectFieldOffset(DELAYED, "size");
    }

    private ThreadPools() {}

    /// The `ThreadPoolExecutor` or `ForkJoinPool` that this platform or virtual thread works for, or the
    /// queue of the `java.util.Timer` whose thread it is; null if none, or if it is a carrier of virtual
    /// threads.
    public static @Nullable Object poolOf(Thread thread) {
        if (thread instanceof ForkJoinWorkerThread worker) {
            return Jdk.isCarrier(thread) ? null : worker.getPool();
        }
        if (Fields.TIMER_THREAD.isInstance(thread)) {
            return U.getReference(thread, Fields.TIMER_QUEUE);
        }
        Object holder = U.getReference(thread, Fields.HOLDER);
        Object task =
                thread.isVirtual() ? Jdk.taskOf(thread) : holder == null ? null : U.getReference(holder, Fields.TASK);
        return Fields.WORKER.isInstance(task) ? U.getReference(task, Fields.EXECUTOR) : null;
    }

    /// How many threads the pool has.
    public static int sizeOf(Object pool) {
        return switch (pool) {
            case ForkJoinPool forkJoin -> forkJoin.getPoolSize();
            case ThreadPoolExecutor _ -> ((AtomicInteger) U.getReference(pool, Fields.CONTROL)).get() & COUNT_MASK;
            default -> DueTasks.isTimer(pool) ? 1 : 0;
        };
    }

    /// How many threads the pool may have. A pool with an unbounded queue stays at its core size, which is
    /// less.
    public static int limitOf(Object pool) {
        return switch (pool) {
            case ForkJoinPool forkJoin -> forkJoin.getParallelism();
            case ThreadPoolExecutor executor -> executor.getMaximumPoolSize();
            default -> DueTasks.isTimer(pool) ? 1 : 0;
        };
    }

    /// How many tasks wait in the pool's queues; of a timer, those whose time has come. -1 if that is not
    /// known.
    public static long queuedIn(Object pool) {
        return switch (pool) {
            case ForkJoinPool forkJoin -> forkJoin.getQueuedTaskCount() + forkJoin.getQueuedSubmissionCount();
            case ScheduledThreadPoolExecutor timer -> DueTasks.of(timer).count();
            case ThreadPoolExecutor executor -> sizeOfQueue(executor.getQueue());
            default -> DueTasks.isTimer(pool) ? DueTasks.ofTimer(pool).count() : -1;
        };
    }

    /// For how many milliseconds the first task of a timer has been due; -1 for a pool that is no timer.
    public static long lateMillisOf(Object pool) {
        if (pool instanceof ScheduledThreadPoolExecutor timer) {
            return DueTasks.of(timer).lateMillis();
        }
        return DueTasks.isTimer(pool) ? DueTasks.ofTimer(pool).lateMillis() : -1;
    }

    /// The length of a queue of the JDK, read without its lock; -1 for other queues.
    public static int sizeOfQueue(BlockingQueue<?> queue) {
        Class<?> type = queue.getClass();
        if (type == LinkedBlockingQueue.class || type == SynchronousQueue.class) {
            return queue.size(); // neither of them locks
        }
        if (type == ArrayBlockingQueue.class) {
            return U.getIntVolatile(queue, Fields.ARRAY_COUNT);
        }
        if (type == LinkedBlockingDeque.class) {
            return U.getIntVolatile(queue, Fields.DEQUE_COUNT);
        }
        if (type == PriorityBlockingQueue.class) {
            return U.getIntVolatile(queue, Fields.HEAP_SIZE);
        }
        return type == Fields.DELAYED ? U.getIntVolatile(queue, Fields.DELAYED_SIZE) : -1;
    }
}
