package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The threads that are locked to a machine. Go: lockedm and lockedg, startlockedm.
///
/// A resume task does not show whether its thread is locked. So while there is any locked thread, every machine looks
/// up its entries here before it runs them. While there is none, this costs one read. The locked thread itself changes
/// the table while it runs, and its machine removes the thread when it has ended. Machines read the table on their
/// carriers.
///
/// The map locks its bins with monitors. That is safe in the kernel: all threads that change the map are pinned or
/// carriers, so a contended monitor blocks a carrier for a few instructions and unmounts no thread.
final class LockedThreads {

    private final ConcurrentHashMap<Thread, Machine> owners = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /// The number of machines that are parked until their thread is runnable. Under the scheduler lock.
    private int idleMachines;

    /// May be stale unless the caller holds the scheduler lock.
    int idleMachines() {
        return idleMachines;
    }

    /// A machine parks until its thread is runnable (1), or is given that thread (-1).
    void countIdleLocked(int change) {
        idleMachines += change;
    }

    boolean isAny() {
        return count.get() != 0;
    }

    boolean isLocked(Thread thread) {
        return isAny() && owners.containsKey(thread);
    }

    void add(Thread thread, Machine machine) {
        owners.put(thread, machine);
        count.incrementAndGet();
    }

    void remove(Thread thread) {
        owners.remove(thread);
        count.decrementAndGet();
    }

    /// If the entry's thread is locked to another machine, gives that machine the entry and, if it is parked,
    /// also the finder's processor. Returns whether it did. In the kernel.
    /// Go: startlockedm.
    boolean sendToOwner(Machine finder, Runnable resumeTask) {
        @Nullable Machine owner = owners.get(Jdk.threadOf(resumeTask));
        if (owner == null || owner == finder) {
            return false;
        }
        owner.locked.deliver(resumeTask, finder);
        return true;
    }
}
