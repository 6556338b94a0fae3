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

/// Threads that get stuck at a place which others pass quickly.
///
/// The times for which the threads wait there have a gap: a thread goes on soon or never. So the rule looks at the
/// threads that have waited for a second or more. None of them ever goes on, and they become more and more. A queue
/// with a long tail looks different: some of its old waiters do go on.
///
/// @param place    where they wait, in the program
/// @param one      one of them, in the last dump
/// @param stuck    how many there are
/// @param grown    by how many they became more
record PilingUp(String place, GoroutineSample one, int stuck, int grown) {

    /// From here on a wait is old.
    private static final double SECONDS = 1;

    /// Fewer may be chance, or threads that are all idle.
    private static final int NEW_ONES = 20;

    private static final int DUMPS = 4;

    /// The place at which most threads got stuck. Workers that wait for their next task are no such threads.
    static Optional<PilingUp> in(Observation seen) {
        List<Dump> dumps = seen.dumps().stream()
                .filter(it -> it.nanoTime() - seen.dumps().getFirst().nanoTime() >= SECONDS * 1e9)
                .toList();
        if (dumps.size() < DUMPS || !dumps.stream().allMatch(Dump::complete)) {
            return Optional.empty();
        }
        CodeReader code = new CodeReader(seen.classes());
        List<Map<String, Set<Long>>> old = dumps.stream().map(PilingUp::old).toList();
        PilingUp worst = null;
        for (Map.Entry<String, Set<Long>> group : old.getLast().entrySet()) {
            int grown = grownBy(group.getKey(), old);
            GoroutineSample one = sample(dumps.getLast(), group.getValue());
            if (grown >= NEW_ONES && (worst == null || grown > worst.grown) && !isWorker(one, code)) {
                worst = new PilingUp(group.getKey(), one, group.getValue().size(), grown);
            }
        }
        return Optional.ofNullable(worst);
    }

    /// The threads of a dump that have waited for long, by the place in the program.
    private static Map<String, Set<Long>> old(Dump dump) {
        Map<String, Set<Long>> groups = new HashMap<>();
        for (GoroutineStats thread : dump.goroutines()) {
            GoroutineSample sample = GoroutineSample.of(thread);
            boolean waits =
                    WaitKind.of(sample).filter(it -> it != WaitKind.SEMAPHORE).isPresent()
                            || sample.isIn("java.util.concurrent.FutureTask", "get");
            if (sample.isWaiting() && waits && thread.seenNanos() >= SECONDS * 1e9) {
                groups.computeIfAbsent(sample.place(), _ -> new HashSet<>()).add(thread.id());
            }
        }
        return groups;
    }

    /// By how many threads the group grew, from the first dump on and in both halves; 0 if one went on.
    private static int grownBy(String place, List<Map<String, Set<Long>>> dumps) {
        List<Set<Long>> all = new ArrayList<>();
        dumps.forEach(it -> all.add(it.getOrDefault(place, Set.of())));
        for (int i = 1; i < all.size(); i++) {
            if (!all.get(i).containsAll(all.get(i - 1))) {
                return 0;
            }
        }
        int begin = all.getFirst().size();
        int middle = all.get(all.size() / 2).size();
        int end = all.getLast().size();
        return middle > begin && end > middle ? end - begin : 0;
    }

    private static GoroutineSample sample(Dump dump, Set<Long> ids) {
        return dump.goroutines().stream()
                .filter(it -> ids.contains(it.id()))
                .map(GoroutineSample::of)
                .findFirst()
                .orElseThrow();
    }

    /// Whether the thread waits for its next task, in a loop.
    private static boolean isWorker(GoroutineSample waiter, CodeReader code) {
        return WaitKind.of(waiter).filter(WaitKind::isForWork).isPresent()
                && waiter.frames().stream()
                        .filter(Frame::isUsers)
                        .anyMatch(it -> new CodePosition(code, it).isInLoop());
    }
}
