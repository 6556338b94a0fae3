package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Goroutines that wait for each other's locks in a cycle. `ThreadMXBean` does not include virtual threads; the dump
/// does.
///
/// Each edge is certain: the owner that a `java.util.concurrent` lock names, or the goroutine that holds the monitor
/// which another wants to enter. A cycle that is the same in the last two dumps is a deadlock.
final class DeadlockRule implements Rule {

    @Override
    public Cause cause() {
        return Cause.DEADLOCK;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        List<Dump> dumps = seen.dumps();
        if (dumps.size() < 2) {
            return Optional.empty();
        }
        Set<Long> before = circle(dumps.get(dumps.size() - 2));
        Dump now = dumps.getLast();
        Set<Long> circle = circle(now);
        if (circle.isEmpty() || !before.equals(circle)) {
            return Optional.empty();
        }
        Map<Long, GoroutineStats> byId = Locks.byId(now);
        Map<Long, Long> waits = waits(now);
        List<String> evidence = new ArrayList<>();
        for (long id : circle) {
            GoroutineStats goroutine = known(byId, id);
            evidence.add("goroutine %d waits for %s, which goroutine %d holds, at %s"
                    .formatted(
                            id,
                            goroutine.blocker(),
                            waits.get(id),
                            GoroutineSample.of(goroutine).place()));
        }
        long first = circle.iterator().next();
        return Optional.of(
                new Finding(Cause.DEADLOCK, evidence, first, known(byId, first).stack()));
    }

    private static GoroutineStats known(Map<Long, GoroutineStats> byId, long id) {
        GoroutineStats goroutine = byId.get(id);
        if (goroutine == null) {
            throw new IllegalStateException("goroutine " + id + " is in no dump");
        }
        return goroutine;
    }

    /// The members of one cycle, in the order in which they wait; empty if there is none.
    private static Set<Long> circle(Dump dump) {
        Map<Long, Long> waits = waits(dump);
        Set<Long> done = new HashSet<>();
        for (Long start : waits.keySet().stream().sorted().toList()) {
            Set<Long> path = new LinkedHashSet<>();
            for (Long at = start; at != null && !done.contains(at); at = waits.get(at)) {
                if (!path.add(at)) {
                    return behind(path, at);
                }
            }
            done.addAll(path);
        }
        return Set.of();
    }

    private static Set<Long> behind(Set<Long> path, long first) {
        Set<Long> circle = new LinkedHashSet<>();
        for (long id : path) {
            if (id == first || !circle.isEmpty()) {
                circle.add(id);
            }
        }
        return circle;
    }

    /// Maps each waiting goroutine to the goroutine that it waits for.
    private static Map<Long, Long> waits(Dump dump) {
        Map<String, Long> holders = new HashMap<>();
        Map<Long, GoroutineStats> byId = Locks.byId(dump);
        for (GoroutineStats goroutine : dump.goroutines()) {
            for (String monitor : goroutine.monitors()) {
                if (!monitor.equals(goroutine.blocker())) { // Object.wait has released it
                    holders.put(monitor, goroutine.id());
                }
            }
        }
        Map<Long, Long> waits = new HashMap<>();
        for (GoroutineStats goroutine : dump.goroutines()) {
            String blocker = goroutine.blocker();
            boolean forLock = Locks.isLockWait(goroutine);
            if (blocker == null || !forLock) {
                continue;
            }
            Long holder = goroutine.owner() != 0 ? Long.valueOf(goroutine.owner()) : holders.get(blocker);
            if (holder != null && holder != goroutine.id() && byId.containsKey(holder)) {
                waits.put(goroutine.id(), holder);
            }
        }
        return waits;
    }
}
