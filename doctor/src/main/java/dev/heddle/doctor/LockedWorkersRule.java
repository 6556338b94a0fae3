package dev.heddle.doctor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Goroutines with the same body that are locked to their threads: one is always busy, another always waits.
///
/// A locked goroutine that waits holds no processor (D17), and locking alone is no mistake. But in a pool it often
/// comes with work that is assigned to workers in advance, so that idle workers cannot help.
final class LockedWorkersRule implements Rule {

    /// Share of the sightings: a worker that is really busy, or really idle, is so in nearly all of them.
    private static final double ALWAYS = 0.8;

    private static final int SIGHTINGS = 4;

    @Override
    public Cause cause() {
        return Cause.LOCKED_WORKERS;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        for (List<List<GoroutineSample>> pool :
                pools(GoroutineSample.byGoroutine(seen)).values()) {
            List<List<GoroutineSample>> busy = pool.stream()
                    .filter(it -> GoroutineSample.busyShare(it) >= ALWAYS)
                    .toList();
            List<List<GoroutineSample>> idle =
                    pool.stream().filter(it -> idleShare(it) >= ALWAYS).toList();
            if (!busy.isEmpty() && !idle.isEmpty()) {
                GoroutineSample worker = busy.getFirst().getLast();
                return Optional.of(Finding.of(
                                Cause.LOCKED_WORKERS,
                                "%d goroutines in %s are locked to their threads"
                                        .formatted(pool.size(), nameOf(worker)),
                                "%d of them had work at every look, %d waited at their channels all the time"
                                        .formatted(busy.size(), idle.size()),
                                "%.1f of %d processors were idle on average"
                                        .formatted(
                                                seen.mean(it ->
                                                        it.snapshot().stats().idleProcs()),
                                                seen.last().snapshot().stats().procs()))
                        .at(worker));
            }
        }
        return Optional.empty();
    }

    /// Locked goroutines, grouped by what they were started for.
    private static Map<String, List<List<GoroutineSample>>> pools(Collection<List<GoroutineSample>> all) {
        Map<String, List<List<GoroutineSample>>> pools = new HashMap<>();
        for (List<GoroutineSample> sightings : all) {
            if (sightings.size() >= SIGHTINGS
                    && sightings.stream().allMatch(it -> it.goroutine().locked())) {
                pools.computeIfAbsent(nameOf(sightings.getLast()), _ -> new ArrayList<>())
                        .add(sightings);
            }
        }
        return pools;
    }

    private static String nameOf(GoroutineSample sighting) {
        Frame bottom = sighting.usersBottom();
        return bottom == null ? "?" : bottom.className() + "." + bottom.method();
    }

    private static double idleShare(List<GoroutineSample> sightings) {
        return (double) sightings.stream()
                        .filter(it -> it.waitsFor("chan receive", "select"))
                        .count()
                / sightings.size();
    }
}
