package dev.heddle.doctor;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Applies all rules to an observation.
public final class Doctor {

    /// Maps a cause to the causes that it entails. The doctor does not report these beside it, because they
    /// are only symptoms.
    private static final Map<Cause, Set<Cause>> EXPLAINS = Map.ofEntries(
            entails(
                    Cause.LOST_WAKE_UP,
                    Cause.LOST_TASKS,
                    Cause.QUEUE_GROWS,
                    Cause.LEAKED_GOROUTINES,
                    Cause.UNBOUNDED_SPAWN),
            entails(Cause.LOST_TASKS, Cause.SLOW_CONSUMER, Cause.LEAKED_GOROUTINES),
            entails(
                    Cause.LOST_UNLOCK,
                    Cause.SLOW_LOCK,
                    Cause.CONVOY,
                    Cause.POOL_EXHAUSTED,
                    Cause.LEAKED_GOROUTINES,
                    Cause.UNBOUNDED_SPAWN),
            entails(Cause.LEAKED_GOROUTINES, Cause.UNBOUNDED_SPAWN, Cause.SLOW_CONSUMER),
            entails(Cause.SERIAL_SERVER, Cause.SOCKET_READS),
            entails(Cause.POOL_SATURATED, Cause.LEAKED_GOROUTINES, Cause.UNBOUNDED_SPAWN),
            entails(Cause.UNBOUNDED_SPAWN, Cause.SLOW_LOCK, Cause.CONVOY, Cause.GC_PRESSURE),
            entails(
                    Cause.DEADLOCK,
                    Cause.SLOW_LOCK,
                    Cause.CONVOY,
                    Cause.LOST_TASKS,
                    Cause.POOL_EXHAUSTED,
                    Cause.SLOW_CONSUMER,
                    Cause.LEAKED_GOROUTINES,
                    Cause.UNBOUNDED_SPAWN),
            entails(Cause.SELECT_SPIN, Cause.BUSY_LOOP, Cause.CPU_HOG),
            entails(Cause.BUSY_LOOP, Cause.CPU_HOG),
            entails(Cause.QUEUE_GROWS, Cause.GC_PRESSURE),
            entails(Cause.SOCKET_READS, Cause.CONVOY, Cause.UNBOUNDED_SPAWN, Cause.SLOW_LOCK, Cause.LEAKED_GOROUTINES),
            entails(Cause.SLEEP_POLLING, Cause.TIMER_STORM),
            entails(Cause.HOT_CALL, Cause.CPU_HOG, Cause.BUSY_LOOP, Cause.GC_PRESSURE),
            entails(Cause.YIELD_POLLING, Cause.BUSY_LOOP),
            entails(Cause.SLOW_DISK, Cause.CONVOY, Cause.SLOW_LOCK, Cause.BLOCKING_CALLS),
            entails(Cause.SLOW_DNS, Cause.CONVOY, Cause.SLOW_LOCK, Cause.BLOCKING_CALLS),
            entails(Cause.POOL_EXHAUSTED, Cause.SLOW_CONSUMER, Cause.LEAKED_GOROUTINES, Cause.UNBOUNDED_SPAWN),
            entails(Cause.THREAD_LOCALS, Cause.GC_PRESSURE),
            entails(Cause.THUNDERING_HERD, Cause.CONVOY),
            entails(Cause.PINNED_CARRIERS, Cause.BLOCKING_CALLS, Cause.SLOW_LOCK, Cause.CONVOY),
            entails(Cause.SLOW_LOCK, Cause.CONVOY),
            entails(Cause.PROCS_ABOVE_CPUS, Cause.THROTTLED, Cause.CPU_HOG));

    private Doctor() {}

    private static Map.Entry<Cause, Set<Cause>> entails(Cause cause, Cause... symptoms) {
        return Map.entry(cause, Set.of(symptoms));
    }

    /// The causes found, the most urgent first; empty if no rule applies.
    public static List<Finding> examine(Observation seen) {
        List<Finding> findings = new ArrayList<>();
        Optional<Observation> warm = Warmth.warmPartOf(seen);
        for (Rule rule : Rule.ALL) {
            Optional<Finding> finding =
                    rule.needsWarmth() ? warm.flatMap(rule::check).or(() -> rule.checkCold(seen)) : rule.check(seen);
            finding.ifPresent(findings::add);
        }
        Set<Cause> explained = explainedBy(findings);
        findings.removeIf(it -> explained.contains(it.cause()));
        findings.sort((a, b) -> a.cause().compareTo(b.cause()));
        return List.copyOf(findings);
    }

    /// The causes that are only symptoms of these findings.
    static Set<Cause> explainedBy(List<Finding> findings) {
        Set<Cause> explained = EnumSet.noneOf(Cause.class);
        findings.forEach(it -> explained.addAll(EXPLAINS.getOrDefault(it.cause(), Set.of())));
        return explained;
    }
}
