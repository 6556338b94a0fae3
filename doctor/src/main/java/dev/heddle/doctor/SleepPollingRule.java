package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Sample;
import dev.heddle.internal.observe.WaitDetail;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Loops that ask again and again whether something has happened, with a short sleep in between.
///
/// A sleep alone says nothing: a ticker sleeps as well. So the rule reads the code of the loop around the sleep.
final class SleepPollingRule implements Rule {

    /// Longer pauses cost next to nothing; what they delay is the program's choice.
    private static final long LONGEST_NANOS = 50_000_000;

    /// Wake-ups a second of all such loops. Each costs a timer, a switch and often a CPU that was asleep: some
    /// 10 us.
    private static final double WAKES = 100;

    /// Share of the dumps at which a polling goroutine sleeps in its loop: it does little else.
    private static final double SHARE = 0.7;

    private static final int SIGHTINGS = 3;

    /// A goroutine that polls.
    ///
    /// @param wakes its wake-ups a second, from the timeout of its sleeps
    private record Poller(GoroutineSample sample, PollingLoop loop, double wakes) {}

    @Override
    public Cause cause() {
        return Cause.SLEEP_POLLING;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        Map<Long, List<Long>> timeouts = timeouts(seen.dumps());
        if (timeouts.isEmpty()) {
            return Optional.empty();
        }
        CodeReader code = new CodeReader(seen.classes());
        List<Poller> pollers = new ArrayList<>();
        for (List<GoroutineSample> sightings : GoroutineSample.byGoroutine(seen)) {
            List<Long> own =
                    timeouts.getOrDefault(sightings.getFirst().goroutine().id(), List.of());
            if (sightings.size() >= SIGHTINGS && own.size() >= SHARE * sightings.size()) {
                poller(sightings, own, code).ifPresent(pollers::add);
            }
        }
        double wakes = pollers.stream().mapToDouble(Poller::wakes).sum();
        if (wakes < WAKES) {
            return Optional.empty();
        }
        Poller one = pollers.stream()
                .max((a, b) -> Double.compare(a.wakes(), b.wakes()))
                .orElseThrow();
        return Optional.of(Finding.of(
                        Cause.SLEEP_POLLING,
                        "up to %2$,.0f times a second %1$s woke from a short sleep to ask again; the loop at %3$s asks %4$s"
                                .formatted(
                                        Words.goroutines(pollers.size()),
                                        wakes,
                                        one.loop().place(),
                                        String.join(", ", one.loop().asks())),
                        "what they wait for is noticed up to %.0f ms late; the process used %.2f CPUs meanwhile"
                                .formatted(1e3 / one.wakes(), seen.rate(Sample::cpuNanos) / 1e9))
                .at(one.sample()));
    }

    /// The timeouts of short sleeps, by goroutine.
    private static Map<Long, List<Long>> timeouts(List<Dump> dumps) {
        Map<Long, List<Long>> timeouts = new HashMap<>();
        for (Dump dump : dumps) {
            Map<Long, GoroutineStats> byId = Locks.byId(dump);
            for (WaitDetail wait : dump.surroundings().waits()) {
                GoroutineStats goroutine = byId.get(wait.thread());
                if (goroutine != null
                        && wait.timeoutNanos() > 0
                        && wait.timeoutNanos() <= LONGEST_NANOS
                        && wait.peer() == null) {
                    timeouts.computeIfAbsent(wait.thread(), _ -> new ArrayList<>())
                            .add(wait.timeoutNanos());
                }
            }
        }
        return timeouts;
    }

    private static Optional<Poller> poller(List<GoroutineSample> sightings, List<Long> timeouts, CodeReader code) {
        List<GoroutineSample> sleeping = sightings.stream()
                .filter(it -> it.waitsFor("sleep", "semacquire") && it.usersTop() != null)
                .toList();
        if (sleeping.size() < SHARE * sightings.size()) {
            return Optional.empty();
        }
        GoroutineSample last = sleeping.getLast();
        Frame frame = last.usersTop();
        PollingLoop loop = frame == null ? null : code.pollingLoop(frame, Call::sleeps);
        if (loop == null) {
            return Optional.empty();
        }
        long longest = timeouts.stream().mapToLong(it -> it).max().orElse(LONGEST_NANOS);
        return Optional.of(new Poller(last, loop, 1e9 / longest));
    }
}
