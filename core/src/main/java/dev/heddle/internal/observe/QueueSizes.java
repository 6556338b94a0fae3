package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.ObjectFields;
import java.util.ArrayDeque;
import java.util.LinkedList;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Reads the sizes of the JDK's queues from their fields.
///
/// `size()` would take the lock of several of them, and the reader must not wait for a thread of the program. The code
/// of other queues is never called.
final class QueueSizes {

    /// The longest linked queue that is counted: it has no counter, and this many nodes take a millisecond.
    private static final int COUNTED = 100_000;

    /// How many delayed tasks are looked at for cancelled ones.
    private static final int TASKS = 64;

    private static final int UNBOUNDED = Integer.MAX_VALUE;

    private static final String DELAYED_TASKS = "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue";
    private static final String DELAYED_TASK = "java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask";

    private QueueSizes() {}

    /// Whether [#of] knows the size of such an object.
    static boolean isKnown(Object object) {
        return object instanceof Queue<?> && object.getClass().getClassLoader() == null && measure(object) != null;
    }

    /// The size of a known queue.
    static QueueStats of(Object queue, String id, String holder) {
        Measure measure = measure(queue);
        if (measure == null) {
            throw new IllegalArgumentException("not a known queue: " + id);
        }
        return new QueueStats(id, holder, measure.size(), measure.capacity(), cancelled(queue));
    }

    private record Measure(long size, long capacity) {}

    private static @Nullable Measure measure(Object queue) {
        Class<?> type = queue.getClass();
        if (type == LinkedBlockingQueue.class) {
            AtomicInteger count = (AtomicInteger) ObjectFields.referenceOf(queue, type, "count");
            return new Measure(count == null ? 0 : count.get(), ObjectFields.intOf(queue, type, "capacity"));
        }
        if (type == LinkedBlockingDeque.class) {
            return new Measure(ObjectFields.intOf(queue, type, "count"), ObjectFields.intOf(queue, type, "capacity"));
        }
        if (type == ArrayBlockingQueue.class) {
            Object[] items = (Object[]) ObjectFields.referenceOf(queue, type, "items");
            return new Measure(ObjectFields.intOf(queue, type, "count"), items == null ? 0 : items.length);
        }
        if (type == PriorityBlockingQueue.class || type == PriorityQueue.class || type == LinkedList.class) {
            return new Measure(ObjectFields.intOf(queue, type, "size"), UNBOUNDED);
        }
        if (type == DelayQueue.class) {
            Object inner = ObjectFields.referenceOf(queue, type, "q");
            return inner == null ? new Measure(0, UNBOUNDED) : measure(inner);
        }
        if (type == ArrayDeque.class) {
            return new Measure(sizeOf((ArrayDeque<?>) queue), UNBOUNDED);
        }
        if (type.getName().equals(DELAYED_TASKS)) {
            return new Measure(ObjectFields.intOf(queue, type, "size"), UNBOUNDED);
        }
        if (type == ConcurrentLinkedQueue.class
                || type == ConcurrentLinkedDeque.class
                || type == LinkedTransferQueue.class) {
            return new Measure(count((Queue<?>) queue), UNBOUNDED);
        }
        return null;
    }

    private static int sizeOf(ArrayDeque<?> deque) {
        Object[] elements = (Object[]) ObjectFields.referenceOf(deque, ArrayDeque.class, "elements");
        int head = ObjectFields.intOf(deque, ArrayDeque.class, "head");
        int tail = ObjectFields.intOf(deque, ArrayDeque.class, "tail");
        return tail >= head || elements == null ? Math.max(0, tail - head) : tail - head + elements.length;
    }

    /// Counts entries by the queue's iterator, which takes no lock.
    private static long count(Queue<?> queue) {
        long count = 0;
        for (Object _ : queue) {
            if (++count == COUNTED) {
                break;
            }
        }
        return count;
    }

    private static double cancelled(Object queue) {
        Class<?> type = queue.getClass();
        if (!type.getName().equals(DELAYED_TASKS)
                || !(ObjectFields.referenceOf(queue, type, "queue") instanceof Object[] tasks)) {
            return 0;
        }
        int looked = 0;
        int cancelled = 0;
        int size = Math.min(tasks.length, ObjectFields.intOf(queue, type, "size"));
        for (int i = 0; i < size; i += Math.max(1, size / TASKS)) {
            if (tasks[i] instanceof FutureTask<?> task
                    && task.getClass().getName().equals(DELAYED_TASK)) {
                looked++;
                cancelled += task.isCancelled() ? 1 : 0;
            }
        }
        return looked == 0 ? 0 : (double) cancelled / looked;
    }
}
