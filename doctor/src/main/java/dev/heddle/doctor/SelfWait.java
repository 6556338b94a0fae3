package dev.heddle.doctor;

import dev.heddle.stats.GoroutineStats;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A thread that waits for a `StampedLock` which it holds itself: the lock is not reentrant, and a read stamp does not
/// become a write stamp by asking again.
///
/// The lock knows no owner. That the thread holds it shows its own stack: one of its methods is between locking and
/// unlocking the same field.
final class SelfWait {

    private static final String LOCK = "java.util.concurrent.locks.StampedLock";

    private SelfWait() {}

    /// A finding of the cause deadlock.
    static Optional<Finding> in(Observation seen) {
        List<GoroutineSample> waiters = Standing.in(seen).threads().values().stream()
                .filter(it -> it.goroutine().blocker() != null
                        && it.goroutine().blocker().startsWith(LOCK + "@"))
                .toList();
        CodeReader code = new CodeReader(seen.classes());
        return waiters.stream()
                .filter(it -> holderFrame(it, code) != null)
                .findFirst()
                .map(it -> finding(it, waiters, String.valueOf(holderFrame(it, code)), seen));
    }

    /// The method of the waiter that holds the lock, for display; null if none does.
    private static @Nullable String holderFrame(GoroutineSample waiter, CodeReader code) {
        String field = fieldOf(waiter, code);
        for (Frame frame : waiter.frames()) {
            if (frame.isUsers()
                    && new CodePosition(code, frame)
                            .holds(
                                    it -> HeldByCode.locks(it)
                                            && it.call().owner().equals(LOCK)
                                            && it.mayBeOf(field),
                                    it -> HeldByCode.unlocks(it) && it.mayBeOf(field))) {
                return frame.className() + "." + frame.method();
            }
        }
        return null;
    }

    private static @Nullable String fieldOf(GoroutineSample waiter, CodeReader code) {
        Frame top = waiter.usersTop();
        return top == null
                ? null
                : new CodePosition(code, top)
                        .here().stream()
                                .filter(HeldByCode::locks)
                                .map(Use::field)
                                .filter(it -> it != null)
                                .findFirst()
                                .orElse(null);
    }

    private static Finding finding(GoroutineSample one, List<GoroutineSample> all, String holder, Observation seen) {
        GoroutineStats thread = one.goroutine();
        String lock = String.valueOf(thread.blocker());
        long others =
                all.stream().filter(it -> lock.equals(it.goroutine().blocker())).count() - 1;
        return Finding.of(
                        Cause.DEADLOCK,
                        "%s waits for %s at %s, and holds it already: it was taken in %s and not released"
                                .formatted(DeadlockRule.nameOf(thread), lock, one.place(), holder),
                        "%d more threads wait for it; none of them ran in %.1f s or more"
                                .formatted(others, Standing.leastSeconds(seen)))
                .at(one)
                .toDo(
                        "Release the stamp that %s has taken before %s, and check again what was read; or turn it into the other kind with tryConvertToWriteLock. A StampedLock is not reentrant: a ReentrantReadWriteLock is."
                                .formatted(holder, one.place()));
    }
}
