package dev.heddle.doctor;

import dev.heddle.internal.observe.Blocker;
import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.QueueStats;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Threads that make no progress in `wait` or `await` although they could go on: the wake-up went to the wrong
/// waiter, to the wrong condition, or came before the wait.
///
/// Three things prove it. Both sides of a hand-over make no progress at one lock: each would wake the other, and
/// a buffer is not full and empty at once. Or a queue has entries all the time, and all that take from it make
/// no progress. Or more and more threads get stuck in a wait that is in no loop, while others pass it.
final class LostWakeUpRule implements Rule {

    private static final Set<String> TAKING =
            Set.of("take", "poll", "pollFirst", "pollLast", "remove", "removeFirst", "removeLast", "pop");

    /// The threads that make no progress at one lock, by the method that waits.
    ///
    /// @param lock the lock, for display
    private record Sides(String lock, Map<String, List<GoroutineSample>> byMethod) {}

    @Override
    public Cause cause() {
        return Cause.LOST_WAKE_UP;
    }

    @Override
    public boolean needsWarmth() {
        return false;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        Standing standing = Standing.in(seen);
        List<GoroutineSample> waiters = standing.threads().values().stream()
                .filter(LostWakeUpRule::isInWait)
                .toList();
        if (waiters.isEmpty()) {
            return Optional.empty();
        }
        CodeReader code = new CodeReader(seen.classes());
        return bothSides(waiters, seen, code)
                .or(() -> besideEntries(waiters, seen, code))
                .or(() -> missedSignals(seen, code))
                .or(() -> SignalToOne.in(seen, code));
    }

    // ---- the signal came before the wait

    /// Threads that get stuck in a wait which no loop surrounds, while others pass it: the state was read
    /// before the lock was taken, and the signal came in between.
    private static Optional<Finding> missedSignals(Observation seen, CodeReader code) {
        return PilingUp.in(seen).filter(it -> isInWait(it.one())).flatMap(pile -> {
            Frame top = pile.one().usersTop();
            if (top == null || new CodePosition(code, top).isInLoop()) {
                return Optional.empty();
            }
            return Optional.of(Finding.of(
                            Cause.LOST_WAKE_UP,
                            "%d threads make no progress at %s; %d of them came to it in %.1f s, while others went on there at once"
                                    .formatted(pile.stuck(), pile.place(), pile.grown(), seen.seconds()),
                            "no loop is around this wait: what it waits for is not read again under the lock, and a signal that comes before the wait is lost")
                    .at(pile.one())
                    .toDo(
                            "Read the state in a while loop around the wait at %s, after the lock is taken, and change it under the same lock before the signal. Or use a CountDownLatch or a CompletableFuture, which remember that it has happened."
                                    .formatted(pile.place())));
        });
    }

    private static boolean isInWait(GoroutineSample waiter) {
        return WaitKind.of(waiter)
                .filter(it -> it == WaitKind.MONITOR || it == WaitKind.CONDITION)
                .isPresent();
    }

    // ---- both sides of a hand-over wait

    private static Optional<Finding> bothSides(List<GoroutineSample> waiters, Observation seen, CodeReader code) {
        Dump last = seen.dumps().getLast();
        Map<String, Sides> locks = new HashMap<>();
        for (GoroutineSample waiter : waiters) {
            Frame top = waiter.usersTop();
            String lock = lockOf(waiter.goroutine(), last);
            if (top != null && lock != null && wakesAfterwards(top, code)) {
                locks.computeIfAbsent(lock, _ -> new Sides(lock, new TreeMap<>()))
                        .byMethod
                        .computeIfAbsent(top.className() + "." + top.method(), _ -> new ArrayList<>())
                        .add(waiter);
            }
        }
        return locks.values().stream()
                .filter(it -> it.byMethod.size() >= 2 && !isAnyInside(it, last))
                .findFirst()
                .map(it -> finding(it, seen, code));
    }

    /// What tells the lock of this wait from others; null if that is not known.
    private static @Nullable String lockOf(GoroutineStats waiter, Dump dump) {
        String waitsFor = waiter.blocker();
        if (waitsFor == null) {
            return null;
        }
        return dump.blockers().stream()
                .filter(it -> it.id().equals(waitsFor) && it.type().endsWith(".Condition"))
                .map(Blocker::value)
                .findFirst()
                .map(it -> "the lock of " + waitsFor.substring(0, waitsFor.indexOf('@') + 1) + it)
                .orElse(waitsFor);
    }

    /// Whether the method wakes another waiter after its own wait: it is one side of a hand-over.
    private static boolean wakesAfterwards(Frame frame, CodeReader code) {
        return new CodePosition(code, frame)
                .ahead().stream().anyMatch(it -> WaitKind.MONITOR.isEnd(it) || WaitKind.CONDITION.isEnd(it));
    }

    /// Whether a thread is in one of these methods that does not make no progress there: it may wake the others
    /// yet.
    private static boolean isAnyInside(Sides sides, Dump dump) {
        Set<Long> standing = new HashSet<>();
        sides.byMethod
                .values()
                .forEach(list -> list.forEach(it -> standing.add(it.goroutine().id())));
        return Locks.byId(dump).values().stream()
                .filter(it -> !standing.contains(it.id()))
                .anyMatch(it -> GoroutineSample.of(it).frames().stream()
                        .anyMatch(frame -> sides.byMethod.containsKey(frame.className() + "." + frame.method())));
    }

    private static Finding finding(Sides sides, Observation seen, CodeReader code) {
        List<String> evidence = new ArrayList<>();
        GoroutineSample first = null;
        boolean wakesAll = true;
        for (List<GoroutineSample> side : sides.byMethod.values()) {
            first = side.getFirst();
            evidence.add("%d threads make no progress at %s".formatted(side.size(), first.place()));
            Frame top = first.usersTop();
            wakesAll &= top != null
                    && code.ownCalls(top).stream().anyMatch(it -> it.method().endsWith("All"));
        }
        evidence.add(
                "all of them wait at the same lock (%s), and each would wake another if it went on; none ran in %.1f s or more"
                        .formatted(sides.lock, Standing.leastSeconds(seen)));
        if (first == null) {
            throw new IllegalStateException("no waiter at " + sides.lock);
        }
        Finding finding = new Finding(Cause.LOST_WAKE_UP, evidence, 0, List.of()).at(first);
        return wakesAll
                ? finding.toDo(
                        "Each of %s wakes all waiters, so the wake-up was lost: check the condition under the lock, in a while loop around the wait, and change it under the same lock before waking."
                                .formatted(String.join(", ", sides.byMethod.keySet())))
                : finding;
    }

    // ---- a queue has entries, and its takers wait

    private static Optional<Finding> besideEntries(List<GoroutineSample> waiters, Observation seen, CodeReader code) {
        for (QueueStats queue : seen.dumps().getLast().surroundings().queues()) {
            if (!hasEntriesThroughout(queue, seen.dumps())) {
                continue;
            }
            List<GoroutineSample> takers =
                    waiters.stream().filter(it -> takesFrom(it, queue, code)).toList();
            if (!takers.isEmpty() && areAllTakers(takers, seen)) {
                return Optional.of(Finding.of(
                                Cause.LOST_WAKE_UP,
                                "%d threads make no progress at %s, all that take from %s"
                                        .formatted(
                                                takers.size(), takers.getFirst().place(), queue.holder()),
                                "that queue was never empty meanwhile: it has %,d entries now, and none of the threads ran in %.1f s or more"
                                        .formatted(queue.size(), Standing.leastSeconds(seen)))
                        .at(takers.getFirst())
                        .toDo(
                                "Check the queue and wait under the same lock, in a while loop, at %s: an entry that comes between the check and the wait wakes no thread. Wake a waiter for each entry, not only for the first, by notifyAll or signalAll if others wait at the same lock. Or use a BlockingQueue."
                                        .formatted(takers.getFirst().place())));
            }
        }
        return Optional.empty();
    }

    /// Whether the queue had entries in all dumps. Of two queues in fields of the same name, one may be
    /// empty.
    private static boolean hasEntriesThroughout(QueueStats queue, List<Dump> dumps) {
        return dumps.stream()
                .allMatch(dump -> dump.surroundings().queues().stream()
                                .filter(it -> it.holder().equals(queue.holder()))
                                .allMatch(it -> it.size() > 0)
                        && dump.surroundings().queues().stream()
                                .anyMatch(it -> it.id().equals(queue.id())));
    }

    private static boolean takesFrom(GoroutineSample waiter, QueueStats queue, CodeReader code) {
        Frame top = waiter.usersTop();
        return top != null
                && new CodePosition(code, top)
                        .ahead().stream()
                                .anyMatch(it -> queue.holder().equals(it.field())
                                        && TAKING.contains(it.call().method()));
    }

    /// Whether no thread at that place ran: one that takes now and then would take the entries.
    private static boolean areAllTakers(List<GoroutineSample> takers, Observation seen) {
        Frame top = takers.getFirst().usersTop();
        Set<Long> standing = new HashSet<>();
        takers.forEach(it -> standing.add(it.goroutine().id()));
        return top != null
                && Locks.byId(seen.dumps().getLast()).values().stream()
                        .filter(it -> !standing.contains(it.id()))
                        .noneMatch(it -> GoroutineSample.of(it).isIn(top.className(), top.method()));
    }
}
