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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A pool or semaphore of which nothing is free, with threads that wait long for it, because its holders wait while
/// they hold it, or because no thread gives back.
///
/// A full semaphore alone is no finding: it bounds the work, as it should. Nor is a full pool whose holders are quick.
final class PoolExhaustedRule implements Rule {

    /// A single thread that waits may be the producer that the bound is meant for.
    private static final int WAITERS = 2;

    /// Share of the dumps with that many waiters: nearly all. A burst ends.
    private static final double SHARE = 0.8;

    private static final int DUMPS = 4;

    /// Mean wait for a permit. A shorter one is not worth a change of the program.
    private static final double WAIT_MILLIS = 250;

    /// Mean time for which a permit is held. A query takes some milliseconds, and ten times as long on a busy
    /// host.
    private static final double HOLD_MILLIS = 150;

    /// Share of the holders that wait with the permit in hand. If they compute, the bound protects the CPUs.
    /// A thread that makes a quick query and takes again at once seems to hold all the time, but is also seen
    /// at work.
    private static final double WAITING = 0.9;

    /// The same, if so few threads were switched to that the permits cannot have changed hands more often.
    private static final double WAITING_IF_SLOW = 0.5;

    private static final double SLOW_MILLIS = 50;

    /// From here on a bound for the time of a hold, from the number of switches, makes the time that follows
    /// from the waits believable. Threads that take again and again, past the waiters, are switched to more
    /// often.
    private static final double BOUND_MILLIS = 10;

    /// Holders may be seen twice by chance, because they come again. What lasts is seen twice more often than
    /// that.
    private static final double ABOVE_CHANCE = 0.15;

    /// The time of a dump is that of its end, and its pictures are older.
    private static final long ROUNDING_NANOS = 100_000_000;

    /// How many callers of the code that takes are searched for the method that holds.
    private static final int DEPTH = 8;

    /// One scarce thing in all dumps.
    private static final class Sightings {
        final Waits waits = new Waits();
        final Waits holds = new Waits();
        Map<Long, Integer> numbers = Map.of();
        Map<Long, Long> deadlines = Map.of(); // of waiters with a time limit
        int served;
        int dumps;
        int waiters;
        int holders;
        int waitingHolders;

        @Nullable
        Scarce last;

        @Nullable
        GoroutineSample waiter;

        @Nullable
        GoroutineSample holder;
    }

    @Override
    public Cause cause() {
        return Cause.POOL_EXHAUSTED;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        return check(seen, it -> isLost(it) || isHeldLong(it, seen));
    }

    /// A slow start makes holders slow, but does not make them vanish.
    @Override
    public Optional<Finding> checkCold(Observation seen) {
        return check(seen, PoolExhaustedRule::isLost);
    }

    private static Optional<Finding> check(Observation seen, Predicate<Sightings> isWrong) {
        CodeReader code = new CodeReader(seen.classes());
        Map<String, Sightings> all = new HashMap<>();
        for (Dump dump : seen.dumps()) {
            Scarce.in(dump, code).values().forEach(it -> {
                if (it.waiters().size() >= WAITERS) {
                    add(all.computeIfAbsent(it.key(), _ -> new Sightings()), it, dump);
                }
            });
        }
        return all.values().stream()
                .filter(it ->
                        it.dumps >= DUMPS && it.dumps >= SHARE * seen.dumps().size())
                .filter(isWrong)
                .max((a, b) -> Integer.compare(a.waiters, b.waiters))
                .flatMap(it -> finding(it, seen));
    }

    private static void add(Sightings sightings, Scarce scarce, Dump dump) {
        sightings.dumps++;
        sightings.last = scarce;
        sightings.waiters += scarce.waiters().size();
        sightings.waiter = scarce.waiters().getFirst();
        Map<Long, Integer> before = sightings.numbers;
        sightings.numbers = numbersOf(sightings, scarce);
        sightings.served += servedSince(before, sightings, dump.nanoTime());
        sightings.deadlines = deadlinesOf(scarce, dump);
        sightings.waits.add(dump, sightings.numbers);
        Map<Long, Integer> places = new HashMap<>();
        for (GoroutineSample holder : holders(scarce, dump)) {
            places.put(holder.goroutine().id(), holder.place().hashCode());
            sightings.holders++;
            sightings.waitingHolders += holder.isWaiting() ? 1 : 0;
            sightings.holder = holder;
        }
        sightings.holds.add(dump, places);
    }

    /// The numbers of the waits. A wait at a monitor has none: its thread has a mark if it is still in the
    /// wait in which the last dump saw it.
    private static Map<Long, Integer> numbersOf(Sightings sightings, Scarce scarce) {
        Map<Long, Integer> numbers = new HashMap<>(scarce.numbers());
        for (GoroutineSample waiter : scarce.waiters()) {
            long id = waiter.goroutine().id();
            Integer before = sightings.numbers.get(id);
            if (numbers.getOrDefault(id, 0) == 0 && waiter.goroutine().seenNanos() >= 0) {
                numbers.put(id, before != null && waiter.goroutine().seenNanos() > 0 ? before : sightings.dumps);
            }
        }
        return numbers;
    }

    /// How many waits have ended since the last dump although their time was not over: these got something.
    private static int servedSince(Map<Long, Integer> before, Sightings sightings, long nanoTime) {
        int served = 0;
        for (Map.Entry<Long, Integer> each : before.entrySet()) {
            boolean hasEnded = !each.getValue().equals(sightings.numbers.get(each.getKey()));
            boolean gaveUp = sightings.deadlines.getOrDefault(each.getKey(), Long.MAX_VALUE) <= nanoTime;
            served += hasEnded && !gaveUp ? 1 : 0;
        }
        return served;
    }

    /// When each waiter with a time limit gives up.
    private static Map<Long, Long> deadlinesOf(Scarce scarce, Dump dump) {
        Map<Long, Long> deadlines = new HashMap<>();
        Map<Long, Long> limits = new HashMap<>();
        dump.surroundings().waits().forEach(it -> limits.put(it.thread(), it.timeoutNanos()));
        for (GoroutineSample waiter : scarce.waiters()) {
            long limit = limits.getOrDefault(waiter.goroutine().id(), -1L);
            long waited = waiter.goroutine().waitNanos();
            if (limit >= 0 && waited >= 0) {
                deadlines.put(waiter.goroutine().id(), dump.nanoTime() + limit - waited - ROUNDING_NANOS);
            }
        }
        return deadlines;
    }

    /// The threads that are in the same method as a waiter, behind the line where it waits: between taking
    /// and giving back. The innermost such method decides.
    private static List<GoroutineSample> holders(Scarce scarce, Dump dump) {
        Set<Long> waiting = new HashSet<>(scarce.numbers().keySet());
        List<GoroutineSample> others = new ArrayList<>();
        for (GoroutineStats thread : Locks.byId(dump).values()) {
            if (!waiting.contains(thread.id())) {
                others.add(GoroutineSample.of(thread));
            }
        }
        for (Frame taking : scarce.waiters().getFirst().users(DEPTH)) {
            List<GoroutineSample> holders =
                    others.stream().filter(it -> isBehind(it, taking)).toList();
            if (!holders.isEmpty()) {
                return holders;
            }
        }
        return List.of();
    }

    private static boolean isBehind(GoroutineSample thread, Frame taking) {
        return thread.frames().stream()
                .anyMatch(it -> it.className().equals(taking.className())
                        && it.method().equals(taking.method())
                        && it.line() > taking.line());
    }

    /// Whether no waiter got anything, and no thread is seen that could give back. Waiters may give up.
    private static boolean isLost(Sightings it) {
        return it.holders == 0 && it.served == 0 && it.waits.meanMillis() >= WAIT_MILLIS;
    }

    private static boolean isHeldLong(Sightings it, Observation seen) {
        boolean isProvenSlow = leastHoldMillis(it, seen) >= SLOW_MILLIS;
        return it.waits.meanMillis() >= WAIT_MILLIS
                && holdMillis(it, seen) >= HOLD_MILLIS
                && it.waitingHolders >= (isProvenSlow ? WAITING_IF_SLOW : WAITING) * it.holders;
    }

    /// How long a permit is held: by the holders that are seen twice, or by the time for which the waiters
    /// wait. Of the threads that wait or hold, the holders spend their share of the time holding. The second
    /// works as well if the dumps are far apart, because the program is large or the host is busy.
    private static double holdMillis(Sightings it, Observation seen) {
        double chance = (double) it.holders / (it.holders + it.waiters);
        double bySight = it.holds.stayShare() >= chance + ABOVE_CHANCE ? it.holds.meanMillis() : 0;
        double byWaits = leastHoldMillis(it, seen) >= BOUND_MILLIS
                ? it.waits.meanMillis() * it.holders / Math.max(1, it.waiters)
                : 0;
        return Math.max(bySight, byWaits);
    }

    /// How long a permit is held at least: every switch of the scheduler may have been for a new holder.
    private static double leastHoldMillis(Sightings it, Observation seen) {
        double switches =
                Math.max(1, seen.rate(sample -> sample.snapshot().stats().switches()));
        return (double) it.holders / it.dumps / switches * 1e3;
    }

    private static Optional<Finding> finding(Sightings it, Observation seen) {
        Scarce scarce = it.last;
        GoroutineSample waiter = it.waiter;
        if (scarce == null || waiter == null) {
            return Optional.empty();
        }
        GoroutineSample holder = it.holder;
        List<String> evidence = new ArrayList<>();
        evidence.add("in %d of %d dumps nothing was free of %s; %.0f threads waited for it on average, at %s"
                .formatted(
                        it.dumps, seen.dumps().size(), scarce.name(), (double) it.waiters / it.dumps, waiter.place()));
        if (holder == null) {
            evidence.add("none of them got one in %.1f s, and no thread is seen that could give one back"
                    .formatted(seen.seconds()));
            return Optional.of(new Finding(Cause.POOL_EXHAUSTED, evidence, 0, List.of())
                    .at(waiter)
                    .toDo(
                            "Give back on every path what is taken at %s: in a finally block, or by try-with-resources. An exception or a return between the two loses it."
                                    .formatted(waiter.place())));
        }
        evidence.add("each waits for %s; %.0f threads hold one, each for about %.1f s until another gets it"
                .formatted(
                        it.waits.describe(seen),
                        (double) it.holders / it.dumps,
                        Math.min(seen.seconds(), holdMillis(it, seen) / 1e3)));
        evidence.add("%.0f %% of the holders wait with it in hand, for example at %s (%s)"
                .formatted(100.0 * it.waitingHolders / it.holders, holder.place(), holder.doing()));
        return Optional.of(new Finding(Cause.POOL_EXHAUSTED, evidence, 0, List.of())
                .at(holder)
                .toDo(
                        "Do what waits at %s before taking or after giving back, so that each is held for a shorter time; or raise %s. If the same threads get it again and again, make it fair: new Semaphore(n, true), new ArrayBlockingQueue(n, true)."
                                .formatted(holder.place(), scarce.option())));
    }
}
