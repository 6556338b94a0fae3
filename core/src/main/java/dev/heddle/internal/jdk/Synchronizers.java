package dev.heddle.internal.jdk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/// Reads the locks, semaphores, latches and conditions of `java.util.concurrent`: owner, state, and the threads that
/// wait in line. Takes no lock and calls no code of the program.
public final class Synchronizers {

    private static final Unsafe U = Unsafe.getUnsafe();

    /// Number of bits of a read-write lock's state that count the write holds; the others count readers.
    private static final int SHARED_SHIFT = 32;

    /// Linked on first use, as in [ThreadSnapshotter].
    private static final class Fields {
        static final Class<?> READ_WRITE_SYNC =
                Jdk.classNamed("java.util.concurrent.locks.ReentrantReadWriteLock$Sync");
        static final long OWNER = U.objectFieldOffset(AbstractOwnableSynchronizer.class, "exclusiveOwnerThread");
        static final long FIRST_READER = U.objectFieldOffset(READ_WRITE_SYNC, "firstReader");
        static final Line OF_INT =
                Line.of(AbstractQueuedSynchronizer.class, AbstractQueuedSynchronizer.ConditionObject.class);
        static final Line OF_LONG =
                Line.of(AbstractQueuedLongSynchronizer.class, AbstractQueuedLongSynchronizer.ConditionObject.class);
    }

    /// Where a synchronizer with an int or a long state keeps its state and the nodes of its waiters.
    private record Line(long state, long tail, long prev, long waiter, long firstWaiter, long nextWaiter) {

        static Line of(Class<?> synchronizer, Class<?> condition) {
            Class<?> node = Jdk.classNamed(synchronizer.getName() + "$Node");
            return new Line(
                    U.objectFieldOffset(synchronizer, "state"),
                    U.objectFieldOffset(synchronizer, "tail"),
                    U.objectFieldOffset(node, "prev"),
                    U.objectFieldOffset(node, "waiter"),
                    U.objectFieldOffset(condition, "firstWaiter"),
                    U.objectFieldOffset(Jdk.classNamed(synchronizer.getName() + "$ConditionNode"), "nextWaiter"));
        }
    }

    /// A thread in the line of a synchronizer.
    ///
    /// @param thread the thread
    /// @param number the number of this wait: the next wait of the same thread has another one
    public record Place(Thread thread, int number) {}

    private Synchronizers() {}

    /// Reads the fields once, so that they are linked before a thread that may hold a lock is suspended.
    static void link() {
        long _ = Fields.OWNER;
    }

    /// The thread that holds the lock; of a read-write lock with readers, the first of them. Null if no
    /// thread does, or if the object is no lock with an owner. The answer may be stale, unless the owner is
    /// suspended.
    public static @Nullable Thread ownerOf(@Nullable Object lock) {
        if (!(lock instanceof AbstractOwnableSynchronizer)) {
            return null;
        }
        Thread owner = (Thread) U.getReferenceVolatile(lock, Fields.OWNER);
        return owner == null && Fields.READ_WRITE_SYNC.isInstance(lock)
                ? (Thread) U.getReferenceVolatile(lock, Fields.FIRST_READER)
                : owner;
    }

    /// The class of the API to which the synchronizer belongs, `java.util.concurrent.Semaphore` for example;
    /// `Condition` for a condition of any lock. Null if the object is neither.
    public static @Nullable Class<?> typeOf(Object object) {
        if (isCondition(object)) {
            return Condition.class;
        }
        if (!isQueued(object)) {
            return null;
        }
        Class<?> outer = object.getClass();
        for (Class<?> next = outer.getEnclosingClass(); next != null; next = outer.getEnclosingClass()) {
            outer = next;
        }
        return outer;
    }

    private static boolean isQueued(Object object) {
        return object instanceof AbstractQueuedSynchronizer || object instanceof AbstractQueuedLongSynchronizer;
    }

    private static boolean isCondition(Object object) {
        return object instanceof AbstractQueuedSynchronizer.ConditionObject
                || object instanceof AbstractQueuedLongSynchronizer.ConditionObject;
    }

    private static Line fieldsOf(Object object) {
        boolean isLong = object instanceof AbstractQueuedLongSynchronizer
                || object instanceof AbstractQueuedLongSynchronizer.ConditionObject;
        return isLong ? Fields.OF_LONG : Fields.OF_INT;
    }

    /// What the synchronizer counts: free permits of a semaphore, the count of a latch, the readers of a
    /// read-write lock, else its state. For a condition a number of its lock, by which the conditions of one
    /// lock are known.
    public static long valueOf(Object object) {
        return switch (object) {
            case AbstractQueuedSynchronizer _ -> U.getIntVolatile(object, Fields.OF_INT.state);
            case AbstractQueuedLongSynchronizer _ -> {
                long state = U.getLongVolatile(object, Fields.OF_LONG.state);
                yield Fields.READ_WRITE_SYNC.isInstance(object) ? state >>> SHARED_SHIFT : state;
            }
            default -> isCondition(object) ? System.identityHashCode(lockOf(object)) : 0;
        };
    }

    /// The lock of a condition, which is an inner object of it.
    private static @Nullable Object lockOf(Object condition) {
        Class<?> type = condition instanceof AbstractQueuedSynchronizer.ConditionObject
                ? AbstractQueuedSynchronizer.ConditionObject.class
                : AbstractQueuedLongSynchronizer.ConditionObject.class;
        return ObjectFields.referenceOf(condition, type, "this$0");
    }

    /// The threads that wait in line, at most `limit`, the last one first; those of a condition in order.
    public static List<Place> lineOf(Object object, int limit) {
        List<Place> line = new ArrayList<>();
        boolean isCondition = isCondition(object);
        if (!isCondition && !isQueued(object)) {
            return line;
        }
        Line fields = fieldsOf(object);
        long next = isCondition ? fields.nextWaiter : fields.prev;
        Object node = U.getReferenceVolatile(object, isCondition ? fields.firstWaiter : fields.tail);
        for (int steps = 0; node != null && steps < limit; steps++) { // a racing writer may let it see a node twice
            Thread waiter = (Thread) U.getReferenceVolatile(node, fields.waiter);
            if (waiter != null) {
                line.add(new Place(waiter, System.identityHashCode(node)));
            }
            node = U.getReferenceVolatile(node, next);
        }
        return line;
    }
}
