package dev.heddle.doctor;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Applies all rules to an observation.
public final class Doctor {

    /// Maps a cause to the causes that it entails. The doctor does not report these beside it, because they are
    /// only symptoms.
    private static final Map<Cause, Set<Cause>> EXPLAINS = Map.of(
            Cause.LEAKED_GOROUTINES, EnumSet.of(Cause.UNBOUNDED_SPAWN),
            Cause.UNBOUNDED_SPAWN, EnumSet.of(Cause.SLOW_LOCK, Cause.CONVOY, Cause.GC_PRESSURE),
            Cause.DEADLOCK, EnumSet.of(Cause.SLOW_LOCK, Cause.CONVOY, Cause.LOST_TASKS),
            Cause.SELECT_SPIN, EnumSet.of(Cause.BUSY_LOOP, Cause.CPU_HOG),
            Cause.BUSY_LOOP, EnumSet.of(Cause.CPU_HOG),
            Cause.PROCS_ABOVE_CPUS, EnumSet.of(Cause.THROTTLED, Cause.CPU_HOG),
            Cause.PINNED_CARRIERS, EnumSet.of(Cause.BLOCKING_CALLS, Cause.SLOW_LOCK, Cause.CONVOY),
            Cause.SLOW_LOCK, EnumSet.of(Cause.CONVOY));

    private Doctor() {}

    /// The causes found, the most urgent first; empty if no rule applies.
    public static List<Finding> examine(Observation seen) {
        List<Finding> findings = new ArrayList<>();
        Optional<Observation> warm = Warmth.warmPartOf(seen);
        for (Rule rule : Rule.ALL) {
            Optional<Observation> observation = rule.needsWarmth() ? warm : Optional.of(seen);
            observation.flatMap(rule::check).ifPresent(findings::add);
        }
        Set<Cause> explained = EnumSet.noneOf(Cause.class);
        findings.forEach(it -> explained.addAll(EXPLAINS.getOrDefault(it.cause(), Set.of())));
        findings.removeIf(it -> explained.contains(it.cause()));
        findings.sort((a, b) -> a.cause().compareTo(b.cause()));
        return List.copyOf(findings);
    }
}
