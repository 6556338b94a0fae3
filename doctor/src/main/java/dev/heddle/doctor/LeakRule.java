package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A growing number of threads that wait for a channel, a latch or a future at the same place and never continue.
///
/// This rule sees the symptom, at no cost for the program: over all dumps a group only grows, and no member leaves it.
/// Only a heap dump shows that nothing else reaches the channel: see `heddle leaks`. Threads that come with connections
/// are not leaked: for each of them another one waits for its socket.
final class LeakRule implements Rule {

    /// Fewer new ones may be workers of a pool that is being filled.
    private static final int NEW_ONES = 20;

    /// The same for threads that wait for something else than work: for a future or a signal, with no limit. In
    /// so short a time as a recording, half as many come one after the other and never leave only if they are
    /// stuck.
    private static final int NEW_WAITERS = 10;

    /// Growth if there are too many goroutines for a dump.
    private static final int MANY = 100;

    /// Share of such a group that stays. Producers behind a slow consumer leave one after the other.
    private static final double STAYED = 0.98;

    /// Minimum number of dumps: the growth must continue.
    private static final int DUMPS = 4;

    @Override
    public Cause cause() {
        return Cause.LEAKED_GOROUTINES;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        List<Dump> dumps = seen.dumps().stream()
                .dropWhile(it -> !it.complete()) // with many goroutines, the first dumps are incomplete
                .toList();
        if (dumps.size() < DUMPS || !dumps.stream().allMatch(Dump::complete)) {
            return amongMany(seen);
        }
        Optional<Finding> standing = StandingAnswers.in(seen);
        List<Map<String, Set<Long>>> groups =
                dumps.stream().map(LeakRule::groups).toList();
        Finding worst = null;
        int mostNew = 0;
        int connections = newConnections(dumps);
        for (Map.Entry<String, Set<Long>> group : groups.getLast().entrySet()) {
            int grown = grownBy(group.getKey(), groups);
            boolean isEnough = grown >= fewest(group.getValue(), dumps.getLast());
            if (isEnough && grown > mostNew && connections < grown / 2) {
                mostNew = grown;
                worst = finding(group.getKey(), group.getValue(), grown, dumps.getLast(), seen, "none of them");
            }
        }
        return Optional.ofNullable(worst)
                .or(() -> standing)
                .or(() -> PilingUp.in(seen)
                        .filter(it -> connections < it.grown() / 2)
                        .map(it -> ofPile(it, seen)));
    }

    /// Others pass at the same place: so the answer is lost on some path only.
    private static Finding ofPile(PilingUp pile, Observation seen) {
        return Finding.of(
                        Cause.LEAKED_GOROUTINES,
                        "%d goroutines make no progress at %s; %d of them came to it in %.1f s"
                                .formatted(pile.stuck(), pile.place(), pile.grown(), seen.seconds()),
                        "others go on there at once, but none that waited for a second or more")
                .at(pile.one());
    }

    /// If there are more goroutines than a dump shows, their number has to grow, and nearly all that the
    /// first dump shows at the place of the largest group have to be there in the last one. A few may have
    /// ended or be left out.
    private static Optional<Finding> amongMany(Observation seen) {
        long grown = seen.growth(it -> it.snapshot().stats().live());
        long middle =
                seen.samples().get(seen.samples().size() / 2).snapshot().stats().live();
        boolean goesOn = middle > seen.first().snapshot().stats().live()
                && seen.last().snapshot().stats().live() > middle;
        if (grown < MANY || !goesOn || seen.dumps().size() < 2) {
            return Optional.empty();
        }
        Map<String, Set<Long>> first = groups(seen.dumps().getFirst());
        Dump last = seen.dumps().getLast();
        return groups(last).entrySet().stream()
                .filter(it -> it.getValue().size() >= last.goroutines().size() / 2)
                .filter(it -> stayed(first.getOrDefault(it.getKey(), Set.of()), it.getValue()))
                .findFirst()
                .map(it -> finding(it.getKey(), it.getValue(), (int) grown, last, seen, "hardly any of them"));
    }

    private static boolean stayed(Set<Long> first, Set<Long> last) {
        return first.size() >= MANY && first.stream().filter(last::contains).count() >= STAYED * first.size();
    }

    /// How many new ones are enough for this group.
    private static int fewest(Set<Long> group, Dump dump) {
        return dump.goroutines().stream()
                        .filter(it -> group.contains(it.id()))
                        .allMatch(it ->
                                it.waitNanos() < 0 && it.seenNanos() >= 0 && isForAnAnswer(GoroutineSample.of(it)))
                ? NEW_WAITERS
                : NEW_ONES;
    }

    private static boolean isForAnAnswer(GoroutineSample waiter) {
        return WaitKind.of(waiter)
                .filter(it -> !it.isForWork() && !it.isMutual())
                .isPresent();
    }

    /// By how many goroutines the group grew; 0 if one left it, or if it did not grow in both halves.
    private static int grownBy(String place, List<Map<String, Set<Long>>> groups) {
        List<Set<Long>> sizes = new ArrayList<>();
        for (Map<String, Set<Long>> dump : groups) {
            sizes.add(dump.getOrDefault(place, Set.of()));
        }
        for (int i = 1; i < sizes.size(); i++) {
            if (!sizes.get(i).containsAll(sizes.get(i - 1))) {
                return 0;
            }
        }
        int begin = sizes.getFirst().size();
        int middle = sizes.get(sizes.size() / 2).size();
        int end = sizes.getLast().size();
        boolean goesOn = middle > begin && end > middle;
        return goesOn ? end - begin : 0;
    }

    /// How many more threads wait for a socket at the end than at the begin.
    private static int newConnections(List<Dump> dumps) {
        return socketWaits(dumps.getLast()) - socketWaits(dumps.getFirst());
    }

    private static int socketWaits(Dump dump) {
        return (int) dump.goroutines().stream()
                .filter(it -> GoroutineSample.of(it).waitsFor("IO wait"))
                .count();
    }

    /// Whether another thread has to end the wait: it receives, sends, takes, counts down, completes or
    /// notifies. Threads that pile up at a semaphore are the business of another rule.
    private static boolean waitsForAnother(GoroutineSample sighting) {
        return sighting.waitsFor("chan send", "chan receive", "select")
                || (sighting.isWaiting()
                        && (WaitKind.of(sighting)
                                        .filter(it -> it != WaitKind.SEMAPHORE)
                                        .isPresent()
                                || sighting.isIn("java.util.concurrent.FutureTask", "get")));
    }

    /// The ids of such threads, grouped by their place in the program.
    private static Map<String, Set<Long>> groups(Dump dump) {
        Map<String, Set<Long>> groups = new HashMap<>();
        for (GoroutineStats goroutine : dump.goroutines()) {
            GoroutineSample sighting = GoroutineSample.of(goroutine);
            if (waitsForAnother(sighting)) {
                groups.computeIfAbsent(goroutine.waitReason() + " at " + sighting.place(), _ -> new HashSet<>())
                        .add(goroutine.id());
            }
        }
        return groups;
    }

    /// @param continued how many of the threads went on, in words
    private static Finding finding(
            String place, Set<Long> ids, int grown, Dump dump, Observation seen, String continued) {
        GoroutineStats one = dump.goroutines().stream()
                .filter(it -> ids.contains(it.id()))
                .findFirst()
                .orElseThrow();
        String created = one.createdBy() == null ? "" : ", created by " + one.createdBy();
        return Finding.of(
                        Cause.LEAKED_GOROUTINES,
                        "%d goroutines wait in %s%s".formatted(ids.size(), place, created),
                        "%d of them came in %.1f s, and %s went on".formatted(grown, seen.seconds(), continued))
                .at(GoroutineSample.of(one));
    }
}
