package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.LatencyStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A lock whose owner sleeps or waits for something slow while other goroutines want the lock. This causes the long
/// tail that stealing is blamed for.
///
/// Only an owner counts that held the lock at the moment of its picture. A thread that sleeps after it has released a
/// hot lock is often seen as its last owner. A lock without an owner is held by a thread whose stack is between locking
/// and unlocking ([HeldByCode]).
final class SlowLockRule implements Rule {

    /// Share of the dumps. A dump hardly ever shows a lock held for microseconds with a sleeping owner. If
    /// the lock costs the 99th percentile, one dump in ten shows it.
    private static final double SHARE = 0.1;

    private static final int DUMPS = 2;

    /// A single waiter behind a sleeping owner may be chance.
    private static final int WAITERS = 2;

    /// Reasons of waits for work.
    private static final Set<String> WORK = Set.of("sync.Cond.Wait", "chan receive", "select");

    /// @param lock    the lock
    /// @param owner   the sleeping goroutine that holds it
    /// @param waiters the number of goroutines that want it
    private record Held(String lock, GoroutineStats owner, int waiters) {}

    @Override
    public Cause cause() {
        return Cause.SLOW_LOCK;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        List<Held> all = new ArrayList<>();
        CodeReader code = new CodeReader(seen.classes());
        for (Dump dump : seen.dumps()) {
            Held held = worst(dump, code);
            if (held != null) {
                all.add(held);
            }
        }
        if (all.size() < DUMPS || all.size() < SHARE * seen.dumps().size() || areIdle(all, seen)) {
            return Optional.empty();
        }
        Held worst = all.stream()
                .max((a, b) -> Integer.compare(a.waiters(), b.waiters()))
                .orElseThrow();
        GoroutineSample owner = GoroutineSample.of(worst.owner());
        LatencyStats latency =
                seen.last().snapshot().latency().since(seen.first().snapshot().latency());
        Finding finding = Finding.of(
                        Cause.SLOW_LOCK,
                        "at %d of %d looks, a goroutine that held a lock was itself waiting (%s), with up to %d goroutines behind it"
                                .formatted(all.size(), seen.dumps().size(), reasonOf(worst.owner()), worst.waiters()),
                        "the lock is %s, held at %s".formatted(worst.lock(), owner.place()),
                        "the scheduler is not the cause: runnable goroutines waited %.2f ms at the 99th percentile, %.0f steals per second"
                                .formatted(
                                        latency.quantile(0.99) / 1e6,
                                        seen.rate(it -> it.snapshot().stats().steals())))
                .at(owner);
        boolean isWrite = SlowDiskRule.callOf(owner).filter("write"::equals).isPresent();
        return Optional.of(isWrite ? finding.toDo(remedyForWrites(owner)) : finding);
    }

    /// A file that waits is mostly a pipe: the standard output of a container, another process, a collector of
    /// logs.
    private static String remedyForWrites(GoroutineSample owner) {
        return "The write at %s waits until the other side has read, or the disk has written, and all that want the lock wait with it. Put what is to be written into a queue with a bound (new ArrayBlockingQueue<>(1_000)), let one thread write it, and drop and count what finds the queue full (offer instead of put)."
                .formatted(owner.place());
    }

    /// Whether one thread waited for work all the time, with the lock, and those behind it wait for work as
    /// well: idle workers, of which one at a time listens.
    private static boolean areIdle(List<Held> all, Observation seen) {
        GoroutineStats first = all.getFirst().owner();
        boolean forWork = first.waitReason() != null && WORK.contains(first.waitReason());
        return forWork
                && all.size() == seen.dumps().size()
                && all.stream()
                        .allMatch(it -> it.owner().id() == first.id()
                                && Objects.equals(it.owner().blocker(), first.blocker()));
    }

    /// The lock with a sleeping owner that has the most waiters; null if there is none.
    private static @Nullable Held worst(Dump dump, CodeReader code) {
        Map<Long, GoroutineStats> byId = Locks.byId(dump);
        Map<String, Long> certain = Locks.owners(dump);
        Map<String, Integer> waiters = new HashMap<>();
        Map<String, GoroutineStats> owners = new HashMap<>();
        Map<String, Optional<GoroutineStats>> byCode = new HashMap<>();
        for (GoroutineStats goroutine : byId.values()) {
            String lock = goroutine.blocker();
            if (lock == null || !Locks.isLockWait(goroutine)) {
                continue;
            }
            Long id = certain.get(lock);
            GoroutineStats owner = id == null
                    ? byCode.computeIfAbsent(lock, _ -> HeldByCode.holder(goroutine, lock, dump, code))
                            .orElse(null)
                    : byId.get(id);
            if (owner != null && isSlow(owner)) {
                waiters.merge(lock, 1, Integer::sum);
                owners.put(lock, owner);
            }
        }
        return waiters.entrySet().stream()
                .filter(it -> it.getValue() >= WAITERS)
                .max(Map.Entry.comparingByValue())
                .map(it -> new Held(it.getKey(), owner(owners, it.getKey()), it.getValue()))
                .orElse(null);
    }

    private static GoroutineStats owner(Map<String, GoroutineStats> owners, String lock) {
        GoroutineStats owner = owners.get(lock);
        if (owner == null) {
            throw new IllegalStateException("no owner of " + lock);
        }
        return owner;
    }

    /// Whether the owner waits for something other than a lock: it sleeps, reads, waits for a channel, or
    /// blocks its carrier.
    private static boolean isSlow(GoroutineStats owner) {
        return owner.state().blocksCarrier() || (owner.state() == GoroutineState.WAITING && !Locks.isLockWait(owner));
    }

    private static String reasonOf(GoroutineStats owner) {
        return owner.waitReason() == null ? owner.state().toString() : owner.waitReason();
    }
}
