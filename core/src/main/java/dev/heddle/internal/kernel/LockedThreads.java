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
final class LockedThreads {

    private final Kernel kernel;
    private final ConcurrentHashMap<Thread, Machine> owners = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    LockedThreads(Kernel kernel) {
        this.kernel = kernel;
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
    /// also the finder's processor. Returns whether it did. Go: startlockedm. In the kernel.
    boolean sendToOwner(Machine finder, Runnable resumeTask) {
        @Nullable Machine owner = owners.get(Jdk.threadOf(resumeTask));
        if (owner == null || owner == finder) {
            return false;
        }
        boolean parked;
        kernel.lock.lock();
        try {
            owner.mailbox = resumeTask; // an owner that is not parked checks its mailbox before it parks
            parked = owner.isLockedIdle;
            if (parked) {
                owner.isLockedIdle = false;
                kernel.lockedIdleMachines--;
                owner.grant(finder.release(), /* withToken= */ false);
            }
        } finally {
            kernel.lock.held = 0;
        }
        if (parked) {
            Jdk.unparkCarrier(owner);
        }
        return true;
    }
}
