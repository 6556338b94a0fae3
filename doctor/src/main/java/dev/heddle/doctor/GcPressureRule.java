package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Sample;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Garbage collections take a large part of the time.
final class GcPressureRule implements Rule {

    /// Share of the wall-clock time. A tenth is usual under load; at a quarter, collections determine the latency.
    private static final double SHARE = 0.25;

    /// Average share of the heap in use. Below it, collections come from explicit `System.gc()` calls or from
    /// start-up.
    private static final double FULL = 0.4;

    @Override
    public Cause cause() {
        return Cause.GC_PRESSURE;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        long millis = seen.growth(Sample::gcMillis);
        double share = millis / (seen.seconds() * 1e3);
        double full = seen.mean(it -> (double) it.heapUsed() / it.heapMax());
        if (share < SHARE || full < FULL) {
            return Optional.empty();
        }
        Finding finding = Finding.of(
                Cause.GC_PRESSURE,
                "%,d ms of %.1f s were spent in collections".formatted(millis, seen.seconds()),
                "%.0f %% of a heap of %,d MB were in use"
                        .formatted(full * 100, seen.last().heapMax() >> 20));
        return Optional.of(mostSeen(seen).map(finding::at).orElse(finding));
    }

    /// A running thread at the place where most were seen running: what is busy all the time allocates most.
    private static Optional<GoroutineSample> mostSeen(Observation seen) {
        Map<String, List<GoroutineSample>> places = new HashMap<>();
        for (Dump dump : seen.dumps()) {
            for (GoroutineStats thread : Locks.byId(dump).values()) {
                GoroutineSample sample = GoroutineSample.of(thread);
                Frame top = sample.usersTop();
                if (sample.isBusy() && top != null) {
                    places.computeIfAbsent(top.className() + "." + top.method(), _ -> new ArrayList<>())
                            .add(sample);
                }
            }
        }
        return places.values().stream()
                .max((a, b) -> Integer.compare(a.size(), b.size()))
                .map(List::getLast);
    }
}
