package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A deadlock through something without an owner: a thread holds a lock and waits for a latch, a channel, a queue or a
/// future, and the thread that would end this wait needs the lock.
///
/// Nothing of it may change during the whole observation. Who would end the wait is read from the code of the
/// threads that want the lock: one of their methods calls what the owner waits for (`countDown`, `send`, `put`,
/// `complete`). A pool of idle workers may look the same, with a lock around the place where one of them waits
/// for work; but their code does not bring the work.
final class StuckLock {

    private static final int DUMPS = 4;

    /// What one dump shows of a lock.
    private record Holding(long owner, @Nullable String waitsFor, List<String> stack) {}

    private StuckLock() {}

    static Optional<Finding> in(Observation seen) {
        List<Dump> dumps = seen.dumps();
        if (dumps.size() < DUMPS) {
            return Optional.empty();
        }
        Map<String, Holding> held = holdings(dumps.getLast());
        for (Dump dump : dumps) {
            Map<String, Holding> then = holdings(dump);
            held.entrySet().removeIf(it -> !Objects.equals(then.get(it.getKey()), it.getValue()));
        }
        CodeReader code = new CodeReader(seen.classes());
        Map<Long, GoroutineStats> byId = Locks.byId(dumps.getLast());
        for (Map.Entry<String, Holding> each : held.entrySet()) {
            GoroutineStats owner = byId.get(each.getValue().owner);
            for (GoroutineStats waiter : byId.values()) {
                if (owner != null
                        && each.getKey().equals(waiter.blocker())
                        && isSame(waiter, dumps)
                        && ends(GoroutineSample.of(owner), GoroutineSample.of(waiter), code)) {
                    return Optional.of(finding(each.getKey(), owner, waiter, seen));
                }
            }
        }
        return Optional.empty();
    }

    /// The locks whose owners wait for something else without a timeout.
    private static Map<String, Holding> holdings(Dump dump) {
        Map<String, Holding> holdings = new HashMap<>();
        Map<Long, GoroutineStats> byId = Locks.byId(dump);
        Locks.owners(dump).forEach((lock, id) -> {
            GoroutineStats owner = byId.get(id);
            if (owner != null && owner.state() == GoroutineState.WAITING && !Locks.isLockWait(owner)) {
                holdings.put(lock, new Holding(id, owner.blocker(), owner.stack()));
            }
        });
        return holdings;
    }

    /// Whether the thread waited for the same lock at the same place in all dumps.
    private static boolean isSame(GoroutineStats waiter, List<Dump> dumps) {
        return dumps.stream().allMatch(dump -> {
            GoroutineStats then = Locks.byId(dump).get(waiter.id());
            return then != null
                    && Objects.equals(then.blocker(), waiter.blocker())
                    && then.stack().equals(waiter.stack());
        });
    }

    /// Whether the code of the waiter would end the owner's wait: `countDown` a latch, `take` from a full queue.
    private static boolean ends(GoroutineSample owner, GoroutineSample waiter, CodeReader code) {
        WaitKind kind = WaitKind.of(owner).orElse(null);
        if (kind == null) {
            return false;
        }
        String field = fieldOf(owner, kind, code);
        return waiter.frames().stream()
                .filter(Frame::isUsers)
                .flatMap(it -> new CodePosition(code, it).ahead().stream())
                .anyMatch(it -> kind.isEnd(it) && it.mayBeOf(field));
    }

    /// The field with the object that the owner waits for; null if it is not known.
    private static @Nullable String fieldOf(GoroutineSample owner, WaitKind kind, CodeReader code) {
        Frame top = owner.usersTop();
        String field = null;
        for (Use use : top == null ? List.<Use>of() : new CodePosition(code, top).here()) {
            field = kind.isWait(use) ? use.field() : field;
        }
        return field;
    }

    private static Finding finding(String lock, GoroutineStats owner, GoroutineStats waiter, Observation seen) {
        GoroutineSample holder = GoroutineSample.of(owner);
        return new Finding(
                        Cause.DEADLOCK,
                        List.of(
                                "%s holds %s and waits (%s) at %s"
                                        .formatted(DeadlockRule.nameOf(owner), lock, holder.doing(), holder.place()),
                                "%s would end this wait, and waits for the lock at %s"
                                        .formatted(
                                                DeadlockRule.nameOf(waiter),
                                                GoroutineSample.of(waiter).place()),
                                "nothing of this changed in %.1f s".formatted(seen.seconds())),
                        0,
                        List.of())
                .at(holder)
                .toDo("Do not wait at %s while holding the lock: release it before the wait."
                        .formatted(holder.place()));
    }
}
