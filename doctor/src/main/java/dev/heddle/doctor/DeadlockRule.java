package dev.heddle.doctor;

import dev.heddle.internal.observe.Blocker;
import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Threads that wait for each other's locks in a cycle. `ThreadMXBean` does not include virtual threads; the dump does.
///
/// Each edge is certain: the owner that a `java.util.concurrent` lock names, or the thread that holds the monitor which
/// another wants to enter. A cycle that is the same in the last two dumps, wait by wait, is a deadlock. A thread may
/// also wait for itself: a reader that wants to write.
///
/// [StuckLock] adds the cycles that go through a lock and a latch, a channel, a queue or a future.
/// [InitialiserCycle] adds those of static initialisers, and [DeadWaits] those without any lock.
final class DeadlockRule implements Rule {

    /// One waiter and the owner that it waits for.
    ///
    /// @param owner  the thread that holds the lock
    /// @param lock   the lock
    /// @param number the number of the wait: 0 if it is not known
    private record Edge(long owner, String lock, int number) {}

    @Override
    public Cause cause() {
        return Cause.DEADLOCK;
    }

    @Override
    public boolean needsWarmth() {
        return false;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        List<Dump> dumps = seen.dumps();
        if (dumps.size() < 2) {
            return Optional.empty();
        }
        Map<Long, Edge> before = circle(dumps.get(dumps.size() - 2));
        Dump now = dumps.getLast();
        Map<Long, Edge> circle = circle(now);
        if (circle.isEmpty() || !before.equals(circle)) {
            return StuckLock.in(seen)
                    .or(() -> InitialiserCycle.in(seen))
                    .or(() -> SelfWait.in(seen))
                    .or(() -> DeadWaits.in(seen).filter(it -> it.cause() == Cause.DEADLOCK));
        }
        Map<Long, GoroutineStats> byId = Locks.byId(now);
        List<String> evidence = new ArrayList<>();
        circle.forEach((id, edge) -> evidence.add("%s waits for %s, which %s holds, at %s"
                .formatted(
                        nameOf(known(byId, id)),
                        edge.lock,
                        id == edge.owner ? "it already" : nameOf(known(byId, edge.owner)),
                        GoroutineSample.of(known(byId, id)).place())));
        GoroutineSample first =
                GoroutineSample.of(known(byId, circle.keySet().iterator().next()));
        Finding finding = new Finding(Cause.DEADLOCK, evidence, 0, List.of()).at(first);
        return Optional.of(
                circle.size() > 1
                        ? finding
                        : finding.toDo(
                                "Release the read lock before taking the write lock at %s, and check again what was read: a ReentrantReadWriteLock cannot be upgraded."
                                        .formatted(first.place())));
    }

    static String nameOf(GoroutineStats thread) {
        return thread.name().isEmpty() ? "goroutine " + thread.id() : "thread " + thread.id() + " " + thread.name();
    }

    private static GoroutineStats known(Map<Long, GoroutineStats> byId, long id) {
        GoroutineStats goroutine = byId.get(id);
        if (goroutine == null) {
            throw new IllegalStateException("thread " + id + " is in no dump");
        }
        return goroutine;
    }

    /// The members of one cycle, in the order in which they wait; empty if there is none.
    private static Map<Long, Edge> circle(Dump dump) {
        Map<Long, Edge> waits = waits(dump);
        Set<Long> done = new HashSet<>();
        for (Long start : waits.keySet().stream().sorted().toList()) {
            Set<Long> path = new LinkedHashSet<>();
            Long at = start;
            while (at != null && !done.contains(at)) {
                if (!path.add(at)) {
                    return behind(path, at, waits);
                }
                Edge edge = waits.get(at);
                at = edge == null ? null : edge.owner;
            }
            done.addAll(path);
        }
        return Map.of();
    }

    private static Map<Long, Edge> behind(Set<Long> path, long first, Map<Long, Edge> waits) {
        Map<Long, Edge> circle = new LinkedHashMap<>();
        for (Long id : path) {
            Edge edge = waits.get(id);
            if (edge != null && (id == first || !circle.isEmpty())) {
                circle.put(id, edge);
            }
        }
        return circle;
    }

    /// Maps each thread that waits for a lock to its owner.
    private static Map<Long, Edge> waits(Dump dump) {
        Map<String, Long> owners = Locks.owners(dump);
        Map<Long, GoroutineStats> byId = Locks.byId(dump);
        Map<Long, Edge> waits = new HashMap<>();
        for (GoroutineStats thread : byId.values()) {
            String lock = thread.blocker();
            if (lock == null || !Locks.isLockWait(thread)) {
                continue;
            }
            Long owner = owners.getOrDefault(lock, thread.owner());
            boolean isReader = owner == thread.id() && hasReaders(lock, dump);
            if (byId.containsKey(owner) && (owner != thread.id() || isReader)) {
                waits.put(thread.id(), new Edge(owner, lock, numberOf(thread.id(), lock, dump)));
            }
        }
        return waits;
    }

    /// Whether the lock is held for reading, by one thread. A reader that waits for other readers waits for
    /// itself, too, but only later.
    private static boolean hasReaders(String lock, Dump dump) {
        return dump.blockers().stream()
                .anyMatch(it -> it.id().equals(lock)
                        && it.type().equals("java.util.concurrent.locks.ReentrantReadWriteLock")
                        && it.value() > 0);
    }

    private static int numberOf(long thread, String lock, Dump dump) {
        return dump.blockers().stream()
                .filter(it -> it.id().equals(lock))
                .flatMap(it -> it.line().stream())
                .filter(it -> it.thread() == thread)
                .mapToInt(Blocker.Place::number)
                .findFirst()
                .orElse(0);
    }
}
