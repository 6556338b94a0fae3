package dev.heddle.doctor;

import dev.heddle.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Ever more goroutines that wait at the same place for a channel, and none of them ever goes on.
///
/// The symptom, which costs the program nothing: over all dumps a group only grows, and whoever was in it
/// stays in it. That nobody else reaches the channel takes a heap dump to say: `heddle leaks`.
final class LeakRule implements Rule {

    /// Fewer new ones may be workers of a pool that is being filled.
    private static final int NEW_ONES = 20;

    /// Growth has to go on: seen at as many moments.
    private static final int DUMPS = 4;

    @Override
    public Cause cause() {
        return Cause.LEAKED_GOROUTINES;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        List<Dump> dumps = seen.dumps().stream()
                .dropWhile(it -> !it.complete()) // where there are many, the first looks do not get to all
                .toList();
        if (dumps.size() < DUMPS || !dumps.stream().allMatch(Dump::complete)) {
            return Optional.empty();
        }
        List<Map<String, Set<Long>>> groups =
                dumps.stream().map(LeakRule::groups).toList();
        Finding worst = null;
        int mostNew = 0;
        for (Map.Entry<String, Set<Long>> group : groups.getLast().entrySet()) {
            int grown = grownBy(group.getKey(), groups);
            if (grown > mostNew) {
                mostNew = grown;
                worst = finding(group.getKey(), group.getValue(), grown, dumps.getLast(), seen);
            }
        }
        return Optional.ofNullable(worst);
    }

    /// How many were added; 0 if anybody left, or it did not grow in both halves.
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
        return goesOn && end - begin >= NEW_ONES ? end - begin : 0;
    }

    /// Who waits for a channel, by the place in the program.
    private static Map<String, Set<Long>> groups(Dump dump) {
        Map<String, Set<Long>> groups = new HashMap<>();
        for (GoroutineStats goroutine : dump.goroutines()) {
            Sighting sighting = Sighting.of(goroutine);
            if (sighting.waitsFor("chan send", "chan receive", "select")) {
                groups.computeIfAbsent(goroutine.waitReason() + " at " + sighting.place(), _ -> new HashSet<>())
                        .add(goroutine.id());
            }
        }
        return groups;
    }

    private static Finding finding(String place, Set<Long> ids, int grown, Dump dump, Observation seen) {
        GoroutineStats one = dump.goroutines().stream()
                .filter(it -> ids.contains(it.id()))
                .findFirst()
                .orElseThrow();
        String created = one.createdBy() == null ? "" : ", created by " + one.createdBy();
        return Finding.of(
                        Cause.LEAKED_GOROUTINES,
                        "%d goroutines wait in %s%s".formatted(ids.size(), place, created),
                        "%d of them came in %.1f s, and not one went on".formatted(grown, seen.seconds()))
                .at(Sighting.of(one));
    }
}
