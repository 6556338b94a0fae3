package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.Optional;

/// Finds the holder of a lock that has no owner: a `StampedLock`, or a `ReentrantReadWriteLock` with readers.
///
/// The stack of the holder shows that it is between the call that locks and the call that unlocks, in one
/// picture of one thread. The line before the one at which it is now has to lock, and nothing in between
/// unlocks.
final class HeldByCode {

    private static final String LOCKS = "java.util.concurrent.locks.";

    private HeldByCode() {}

    /// A thread that waits for something else between locking and unlocking.
    static Optional<GoroutineStats> holder(String lock, Dump dump, CodeReader code) {
        return Locks.byId(dump).values().stream()
                .filter(it -> !lock.equals(it.blocker()) && !Locks.isLockWait(it))
                .filter(it -> GoroutineSample.of(it).isWaiting() && isHolder(GoroutineSample.of(it), code))
                .findFirst();
    }

    /// Whether the JVM does not know the holder of such a lock.
    static boolean isWithoutOwner(String lock) {
        return lock.startsWith(LOCKS + "StampedLock@") || lock.startsWith(LOCKS + "ReentrantReadWriteLock$");
    }

    private static boolean isHolder(GoroutineSample thread, CodeReader code) {
        return thread.frames().stream()
                .filter(Frame::isUsers)
                .anyMatch(it -> new CodePosition(code, it).holds(HeldByCode::locks, HeldByCode::unlocks));
    }

    private static boolean locks(Use use) {
        String owner = use.call().owner();
        String method = use.call().method();
        boolean isView = owner.endsWith("ReadWriteLock"); // its readLock returns a lock
        return owner.startsWith(LOCKS)
                && !isView
                && (method.startsWith("lock") || method.startsWith("readLock") || method.startsWith("writeLock"));
    }

    private static boolean unlocks(Use use) {
        return use.call().owner().startsWith(LOCKS) && use.call().method().startsWith("unlock");
    }
}
