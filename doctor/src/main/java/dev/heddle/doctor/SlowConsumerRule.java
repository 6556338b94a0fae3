package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Sample;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Many producers that wait for room in one queue, each for long, although CPUs are free: there are too few consumers,
/// or they are too slow.
///
/// A producer that waits is how a bounded queue is meant to work. So this is only reported for many producers that wait
/// long, and not if all CPUs are busy: more consumers would not help then.
final class SlowConsumerRule implements Rule {

    /// Fewer are the producers of a pipeline.
    private static final int PRODUCERS = 5;

    private static final double SHARE = 0.8;

    /// Of the producers seen in two successive dumps, the share that was in the same wait in both: each waits
    /// for longer than the time between dumps.
    private static final double SAME_WAIT = 0.5;

    /// Share of the allowed CPU time: above it, the CPUs are the limit.
    private static final double BUSY = 0.8;

    private static final int DUMPS = 3;

    private static final Set<String> QUEUES = Set.of(
            "java.util.concurrent.ArrayBlockingQueue",
            "java.util.concurrent.LinkedBlockingQueue",
            "java.util.concurrent.LinkedBlockingDeque",
            "java.util.concurrent.SynchronousQueue",
            "java.util.concurrent.LinkedTransferQueue",
            "dev.heddle.Chan");

    private static final String[] PUTTING = {
        "put", "putFirst", "putLast", "offer", "offerFirst", "offerLast", "transfer", "tryTransfer", "send"
    };

    /// @param producers the waiting producers at each dump, by the place in the program
    private record Group(String place, String queue, List<Map<Long, GoroutineSample>> producers) {}

    @Override
    public Cause cause() {
        return Cause.SLOW_CONSUMER;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        double cpus = CpuAllowance.of(seen.last().snapshot().limits()).cpus();
        if (seen.dumps().size() < DUMPS || seen.rate(Sample::cpuNanos) / 1e9 > BUSY * cpus) {
            return Optional.empty();
        }
        return groups(seen.dumps()).stream()
                .filter(it -> isPile(it, seen.dumps()))
                .max((a, b) -> Double.compare(mean(a), mean(b)))
                .map(it -> finding(it, seen, cpus));
    }

    private static Finding finding(Group group, Observation seen, double cpus) {
        List<Map<Long, GoroutineSample>> all = group.producers();
        GoroutineSample one = all.stream()
                .filter(it -> !it.isEmpty())
                .reduce((_, later) -> later)
                .orElseThrow()
                .values()
                .iterator()
                .next();
        return Finding.of(
                        Cause.SLOW_CONSUMER,
                        "%.0f goroutines on average waited in %s, at %s, each for longer than %.0f ms"
                                .formatted(
                                        mean(group),
                                        group.queue(),
                                        group.place(),
                                        seen.seconds() * 1e3 / seen.dumps().size()),
                        "the process used %.1f of %.1f CPUs: its consumers are few or wait for something themselves"
                                .formatted(seen.rate(Sample::cpuNanos) / 1e9, cpus))
                .at(one);
    }

    private static double mean(Group group) {
        return group.producers().stream().mapToInt(Map::size).average().orElse(0);
    }

    private static boolean isPile(Group group, List<Dump> dumps) {
        long full =
                group.producers().stream().filter(it -> it.size() >= PRODUCERS).count();
        if (full < SHARE * dumps.size()) {
            return false;
        }
        int both = 0;
        int same = 0;
        for (int i = 1; i < dumps.size(); i++) {
            Map<Long, Integer> before = WaitNumbers.of(dumps.get(i - 1));
            Map<Long, Integer> after = WaitNumbers.of(dumps.get(i));
            long between = dumps.get(i).nanoTime() - dumps.get(i - 1).nanoTime();
            for (Map.Entry<Long, GoroutineSample> each :
                    group.producers().get(i).entrySet()) {
                long waitNanos = each.getValue().goroutine().waitNanos();
                Integer number = before.get(each.getKey());
                if (waitNanos >= 0) { // at a channel of Heddle's
                    both++;
                    same += waitNanos >= between ? 1 : 0;
                } else if (number != null && after.containsKey(each.getKey())) {
                    both++;
                    same += number.equals(after.get(each.getKey())) ? 1 : 0;
                }
            }
        }
        return both > 0 && same >= SAME_WAIT * both;
    }

    private static List<Group> groups(List<Dump> dumps) {
        Map<String, Group> groups = new HashMap<>();
        for (int i = 0; i < dumps.size(); i++) {
            for (GoroutineStats goroutine : dumps.get(i).goroutines()) {
                if (goroutine.state() != GoroutineState.WAITING) {
                    continue;
                }
                GoroutineSample sample = GoroutineSample.of(goroutine);
                String queue = putsInto(sample);
                if (queue != null) {
                    groups.computeIfAbsent(sample.place(), place -> new Group(place, queue, empty(dumps.size())))
                            .producers()
                            .get(i)
                            .put(goroutine.id(), sample);
                }
            }
        }
        return List.copyOf(groups.values());
    }

    private static List<Map<Long, GoroutineSample>> empty(int size) {
        List<Map<Long, GoroutineSample>> maps = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            maps.add(new HashMap<>());
        }
        return maps;
    }

    /// The call by which the goroutine waits for room, such as `SynchronousQueue.put`; null if it does not.
    private static @Nullable String putsInto(GoroutineSample sample) {
        for (Frame frame : sample.frames()) {
            if (frame.isUsers()) {
                return null;
            }
            if (QUEUES.contains(frame.className()) && frame.is(frame.className(), PUTTING)) {
                return frame.className().substring(frame.className().lastIndexOf('.') + 1) + "." + frame.method();
            }
        }
        return null;
    }
}
