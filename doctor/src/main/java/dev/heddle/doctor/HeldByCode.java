package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Finds the holder of a lock that has no owner: a `StampedLock`, or a `ReentrantReadWriteLock` with readers.
///
/// The stack of the holder shows that it is between the call that locks and the call that unlocks, in one
/// picture of one thread. The line before the one at which it is now has to lock, and nothing in between
/// unlocks.
final class HeldByCode {

    private static final String LOCKS = "java.util.concurrent.locks.";

    private HeldByCode() {}

    /// The holder of the lock for which this thread waits, if the JVM does not tell it.
    static Optional<GoroutineStats> holder(GoroutineStats waiter, String lock, Dump dump, CodeReader code) {
        return isWithoutOwner(lock) ? ofLock(lock, dump, code) : ofMonitor(waiter, dump, code);
    }

    /// A thread that waits for something else between locking and unlocking.
    private static Optional<GoroutineStats> ofLock(String lock, Dump dump, CodeReader code) {
        return Locks.byId(dump).values().stream()
                .filter(it -> !lock.equals(it.blocker()) && !Locks.isLockWait(it))
                .filter(it -> GoroutineSample.of(it).isWaiting() && isHolder(GoroutineSample.of(it), code))
                .findFirst();
    }

    /// The thread that holds the monitor which this thread wants to enter, while it blocks its carrier: the JVM
    /// tells the monitors of a thread only if that has left its carrier.
    ///
    /// It is inside the `synchronized` code before which the other one waits. There may be many such monitors,
    /// one for each object. So all that wait at this place have to wait for the same one, and only one thread
    /// is inside.
    private static Optional<GoroutineStats> ofMonitor(GoroutineStats waiter, Dump dump, CodeReader code) {
        List<Frame> frames = GoroutineSample.of(waiter).frames();
        if (frames.isEmpty() || !frames.getFirst().isUsers()) {
            return Optional.empty(); // the monitor is the JDK's
        }
        Frame entry = frames.getFirst();
        List<GoroutineStats> inside = new ArrayList<>();
        for (GoroutineStats thread : Locks.byId(dump).values()) {
            List<Frame> stack = GoroutineSample.of(thread).frames();
            boolean waitsHere = thread.blocker() != null
                    && !stack.isEmpty()
                    && stack.getFirst().is(entry.className(), entry.method());
            if (waitsHere && !Objects.equals(thread.blocker(), waiter.blocker())) {
                return Optional.empty();
            }
            for (int i = 0; i < stack.size() && !waitsHere; i++) {
                if (stack.get(i).is(entry.className(), entry.method())
                        && new CodePosition(code, stack.get(i)).isInMonitor(/* isTop= */ i == 0)) {
                    inside.add(thread);
                    break;
                }
            }
        }
        return inside.size() == 1 && inside.getFirst().state().blocksCarrier()
                ? Optional.of(inside.getFirst())
                : Optional.empty();
    }

    /// Whether the JVM does not know the holder of such a lock.
    private static boolean isWithoutOwner(String lock) {
        return lock.startsWith(LOCKS + "StampedLock@") || lock.startsWith(LOCKS + "ReentrantReadWriteLock$");
    }

    private static boolean isHolder(GoroutineSample thread, CodeReader code) {
        return thread.frames().stream()
                .filter(Frame::isUsers)
                .anyMatch(it -> new CodePosition(code, it).holds(HeldByCode::locks, HeldByCode::unlocks));
    }

    static boolean locks(Use use) {
        String owner = use.call().owner();
        String method = use.call().method();
        boolean isView = owner.endsWith("ReadWriteLock"); // its readLock returns a lock
        return owner.startsWith(LOCKS)
                && !isView
                && (method.startsWith("lock") || method.startsWith("readLock") || method.startsWith("writeLock"));
    }

    static boolean unlocks(Use use) {
        return use.call().owner().startsWith(LOCKS) && use.call().method().startsWith("unlock");
    }
}
