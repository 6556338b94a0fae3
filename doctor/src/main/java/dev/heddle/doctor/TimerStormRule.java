package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.QueueStats;
import dev.heddle.internal.observe.WaitDetail;
import dev.heddle.stats.GoroutineStats;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Timers that cost more than what they are for: very many that expire, or a heap of cancelled ones that is kept until
/// they would have expired.
final class TimerStormRule implements Rule {

    /// Timers that expire a second. Each costs some microseconds for the heap, the wake-up and the switch:
    /// from here on a tenth of a CPU.
    private static final double FIRED = 20_000;

    /// Timers that are set, on average. A few threads that tick every millisecond do what they were written
    /// for; a storm is made by many that tick for each.
    private static final double SET = 500;

    /// Delayed tasks in an executor. Each holds on to what its task refers to.
    private static final long KEPT = 10_000;

    /// Share of them that was cancelled.
    private static final double CANCELLED = 0.5;

    private static final long SHORT_NANOS = 20_000_000;

    @Override
    public Cause cause() {
        return Cause.TIMER_STORM;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        if (seen.dumps().isEmpty()) {
            return Optional.empty();
        }
        Dump last = seen.dumps().getLast();
        for (QueueStats queue : last.surroundings().queues()) {
            if (queue.size() >= KEPT && queue.cancelled() >= CANCELLED) {
                return Optional.of(Finding.of(
                        Cause.TIMER_STORM,
                        "%s has %,d delayed tasks, of which %.0f %% are cancelled"
                                .formatted(queue.holder(), queue.size(), 100 * queue.cancelled()),
                        "a cancelled task stays in the queue, with all that it refers to, until its time has come"));
            }
        }
        double fired = seen.rate(it -> it.snapshot().stats().timersFired());
        if (fired < FIRED || seen.mean(it -> it.snapshot().stats().timers()) < SET) {
            return Optional.empty();
        }
        Finding finding = Finding.of(
                Cause.TIMER_STORM,
                "%,.0f timers expired a second; %,d are set"
                        .formatted(fired, seen.last().snapshot().stats().timers()),
                "the process used %.1f CPUs meanwhile".formatted(seen.rate(it -> it.cpuNanos()) / 1e9));
        return Optional.of(shortSleeper(last).map(finding::at).orElse(finding));
    }

    /// A goroutine of the largest group that waits with a short timeout.
    private static Optional<GoroutineSample> shortSleeper(Dump dump) {
        Map<Long, GoroutineStats> byId = Locks.byId(dump);
        Map<String, Integer> sizes = new HashMap<>();
        Map<String, GoroutineSample> members = new HashMap<>();
        for (WaitDetail wait : dump.surroundings().waits()) {
            GoroutineStats goroutine = byId.get(wait.thread());
            if (goroutine != null && wait.timeoutNanos() >= 0 && wait.timeoutNanos() <= SHORT_NANOS) {
                GoroutineSample sample = GoroutineSample.of(goroutine);
                sizes.merge(sample.place(), 1, Integer::sum);
                members.put(sample.place(), sample);
            }
        }
        return sizes.entrySet().stream().max(Map.Entry.comparingByValue()).map(it -> members.get(it.getKey()));
    }
}
