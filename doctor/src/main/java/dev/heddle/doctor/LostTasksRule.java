package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.List;
import java.util.Optional;

/// A goroutine waits for a WaitGroup, and no goroutine is left that could bring it to zero.
///
/// Reported only if *all* goroutines wait for WaitGroups, no switch happened during the whole observation, and no timer
/// is set. Workers that wait at a channel for a platform thread or a socket are idle, not lost. [DeadWaits] adds the
/// other waits that no thread is left to end, beside threads that run.
final class LostTasksRule implements Rule {

    @Override
    public Cause cause() {
        return Cause.LOST_TASKS;
    }

    @Override
    public boolean needsWarmth() {
        return false;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        List<Dump> dumps = seen.dumps();
        if (dumps.size() < 2
                || seen.growth(it -> it.snapshot().stats().switches()) != 0
                || seen.last().snapshot().stats().timers() != 0) {
            return deadWait(seen);
        }
        for (Dump dump : dumps) {
            boolean all = !dump.goroutines().isEmpty()
                    && dump.complete()
                    && dump.goroutines().stream()
                            .allMatch(it -> GoroutineSample.of(it).waitsFor("sync.WaitGroup.Wait") && it.owner() == 0);
            if (!all) {
                return deadWait(seen);
            }
        }
        GoroutineStats waiting = dumps.getLast().goroutines().getFirst();
        GoroutineSample sighting = GoroutineSample.of(waiting);
        return Optional.of(Finding.of(
                        Cause.LOST_TASKS,
                        "goroutine %d waits for a WaitGroup at %s".formatted(waiting.id(), sighting.place()),
                        "no other goroutine is left but %d that wait likewise, no timer is set, and nothing ran for %.1f s"
                                .formatted(dumps.getLast().goroutines().size() - 1, seen.seconds()))
                .at(sighting));
    }

    private static Optional<Finding> deadWait(Observation seen) {
        return DeadWaits.in(seen).filter(it -> it.cause() == Cause.LOST_TASKS);
    }
}
