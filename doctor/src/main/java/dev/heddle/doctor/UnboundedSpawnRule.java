package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Sample;
import dev.heddle.stats.GoroutineStats;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The number of goroutines grows throughout the observation.
///
/// A large number alone is no finding: a hundred thousand goroutines that start and end are fine, and blocked ones are
/// in no run queue (D32).
final class UnboundedSpawnRule implements Rule {

    /// A smaller growth could be a service that has just started.
    private static final long GROWN = 500;

    private static final double PER_SECOND = 200;

    /// Growth relative to the initial number. A smaller growth of a large number is a fluctuation.
    private static final double SHARE = 0.25;

    private static final int PARTS = 4;

    private static final double TREE_SECONDS = 4;

    @Override
    public Cause cause() {
        return Cause.UNBOUNDED_SPAWN;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        long begin = seen.first().snapshot().stats().live();
        long end = seen.last().snapshot().stats().live();
        long grown = end - begin;
        if (grown < GROWN || grown < SHARE * begin || grown / seen.seconds() < PER_SECOND || !growsThroughout(seen)) {
            return Optional.empty();
        }
        Optional<GoroutineSample> group = largestGroup(seen.dumps());
        if (group.isPresent() && (isTree(group.get(), seen) || isConnection(group.get()))) {
            return Optional.empty();
        }
        long created = seen.growth(it -> it.snapshot().created());
        Finding finding = Finding.of(
                Cause.UNBOUNDED_SPAWN,
                "from %,d to %,d goroutines in %.1f s, and more at every look".formatted(begin, end, seen.seconds()),
                "%,d were started, %,d ended"
                        .formatted(created, Math.max(0, created - grown)), // the counters are read one after the other
                "%,d MB of heap in use at the begin, %,d MB at the end"
                        .formatted(seen.first().heapUsed() >> 20, seen.last().heapUsed() >> 20));
        return Optional.of(group.map(finding::at).orElse(finding));
    }

    /// Whether the largest group waits for the results of others: parents for their children, as in fork and
    /// join. Such a tree shrinks by itself. A goroutine that receives from a channel may be a parent too, but
    /// only in a short observation.
    private static boolean isTree(GoroutineSample most, Observation seen) {
        return most.waitsFor("sync.WaitGroup.Wait")
                || (most.waitsFor("chan receive", "select") && seen.seconds() < TREE_SECONDS);
    }

    /// Whether the largest group waits to hear from its peers: a server whose clients connect. How many there are is
    /// not the server's choice, and each waits at no cost.
    private static boolean isConnection(GoroutineSample most) {
        return most.waitsFor("IO wait")
                && (most.isIn("sun.nio.ch.NioSocketImpl", "implRead", "read")
                        || most.isIn("sun.nio.ch.SocketChannelImpl", "read"));
    }

    /// Whether each quarter of the time has at least a fifth of its fair share of the growth. A busy host makes the
    /// growth uneven.
    private static boolean growsThroughout(Observation seen) {
        List<Sample> samples = seen.samples();
        if (samples.size() <= PARTS) {
            return false;
        }
        double fair = (double) seen.growth(it -> it.snapshot().stats().live()) / PARTS;
        for (int part = 0; part < PARTS; part++) {
            long from = samples.get(part * (samples.size() - 1) / PARTS)
                    .snapshot()
                    .stats()
                    .live();
            long to = samples.get((part + 1) * (samples.size() - 1) / PARTS)
                    .snapshot()
                    .stats()
                    .live();
            if (to - from < fair / 5) {
                return false;
            }
        }
        return true;
    }

    /// A goroutine of the largest group at one place, in the last dump.
    private static Optional<GoroutineSample> largestGroup(List<Dump> dumps) {
        if (dumps.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Integer> sizes = new HashMap<>();
        Map<String, GoroutineStats> members = new HashMap<>();
        for (GoroutineStats goroutine : dumps.getLast().goroutines()) {
            String place = GoroutineSample.of(goroutine).place();
            sizes.merge(place, 1, Integer::sum);
            members.put(place, goroutine);
        }
        return sizes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(it -> members.get(it.getKey()))
                .map(GoroutineSample::of);
    }
}
