package dev.heddle.doctor;

import dev.heddle.internal.observe.Blocker;
import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One lock behind which many threads wait all the time, although its owner does not wait: the program runs on one
/// processor, whatever it has.
///
/// A lock that is held for microseconds may have as many waiters. They pass so quickly that it does no harm, so the
/// rule asks for long waits.
final class ConvoyRule implements Rule {

    /// Fewer waiters are the ordinary contention of a busy program.
    private static final int WAITERS = 8;

    /// Share of the dumps with that many waiters: nearly all. A burst ends.
    private static final double SHARE = 0.8;

    private static final int DUMPS = 4;

    /// Mean wait for the lock: two time slices of the scheduler. A shorter one may be the scheduler's.
    private static final double WAIT_MILLIS = 20;

    /// The waiters of one lock in all dumps.
    private static final class Crowd {
        final Waits waits = new Waits();
        int dumps;
        int sightings;

        @Nullable
        GoroutineSample waiter;

        @Nullable
        GoroutineSample owner;
    }

    @Override
    public Cause cause() {
        return Cause.CONVOY;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        Map<String, Crowd> crowds = new HashMap<>();
        for (Dump dump : seen.dumps()) {
            waiters(dump).forEach((lock, waiters) -> {
                if (waiters.size() >= WAITERS) {
                    add(crowds.computeIfAbsent(lock, _ -> new Crowd()), lock, waiters, dump);
                }
            });
        }
        return crowds.entrySet().stream()
                .filter(it -> isConvoy(it.getValue(), seen))
                .max((a, b) -> Integer.compare(a.getValue().sightings, b.getValue().sightings))
                .flatMap(it -> finding(it.getKey(), it.getValue(), seen));
    }

    /// The threads that want a lock, by lock.
    private static Map<String, List<GoroutineStats>> waiters(Dump dump) {
        Map<String, List<GoroutineStats>> waiters = new HashMap<>();
        for (GoroutineStats thread : Locks.byId(dump).values()) {
            if (thread.blocker() != null && Locks.isLockWait(thread)) {
                waiters.computeIfAbsent(thread.blocker(), _ -> new ArrayList<>())
                        .add(thread);
            }
        }
        return waiters;
    }

    private static void add(Crowd crowd, String lock, List<GoroutineStats> waiters, Dump dump) {
        crowd.dumps++;
        crowd.sightings += waiters.size();
        crowd.waiter = GoroutineSample.of(waiters.getFirst());
        Map<Long, Integer> numbers = new HashMap<>();
        for (Blocker blocker : dump.blockers()) {
            if (blocker.id().equals(lock)) {
                blocker.line().forEach(it -> numbers.put(it.thread(), it.number()));
            }
        }
        crowd.waits.add(dump, numbers);
        Long owner = Locks.owners(dump).get(lock);
        GoroutineStats holder = owner == null ? null : Locks.byId(dump).get(owner);
        if (holder != null && !holder.stack().isEmpty()) {
            crowd.owner = GoroutineSample.of(holder);
        }
    }

    private static boolean isConvoy(Crowd crowd, Observation seen) {
        return crowd.dumps >= DUMPS
                && crowd.dumps >= SHARE * seen.dumps().size()
                && waitMillis(crowd, seen) >= WAIT_MILLIS;
    }

    /// A lower bound of the mean wait for the lock: by the waits that outlast a dump, and by the number of threads
    /// that can have passed. Each thread that waited and passed was switched to at least once.
    private static double waitMillis(Crowd crowd, Observation seen) {
        double switches = Math.max(1, seen.rate(it -> it.snapshot().stats().switches()));
        double waiters = (double) crowd.sightings / crowd.dumps;
        double byDumps = crowd.waits.stayShare() > 0.5 ? crowd.waits.meanMillis() : 0;
        return Math.max(byDumps, waiters / switches * 1e3);
    }

    private static Optional<Finding> finding(String lock, Crowd crowd, Observation seen) {
        GoroutineSample waiter = crowd.waiter;
        if (waiter == null) {
            return Optional.empty();
        }
        GoroutineSample owner = crowd.owner;
        List<String> evidence = new ArrayList<>();
        evidence.add("in %d of %d dumps %d or more threads waited for %s, %.0f on average, at %s"
                .formatted(
                        crowd.dumps,
                        seen.dumps().size(),
                        WAITERS,
                        lock,
                        (double) crowd.sightings / crowd.dumps,
                        waiter.place()));
        evidence.add("each waits for %.1f s or more; %.1f of %d processors were idle meanwhile"
                .formatted(
                        Math.min(seen.seconds(), waitMillis(crowd, seen) / 1e3),
                        seen.mean(it -> it.snapshot().stats().idleProcs()),
                        seen.last().snapshot().stats().procs()));
        if (owner != null) {
            evidence.add("the owner was at %s (%s)".formatted(owner.place(), owner.doing()));
        }
        GoroutineSample toRead = owner == null ? waiter : owner;
        return Optional.of(new Finding(Cause.CONVOY, evidence, 0, List.of()).at(toRead));
    }
}
