package dev.heddle.doctor;

import java.util.List;
import java.util.Optional;

/// Recognises one cause.
///
/// A wrong finding costs the reader more than a missing one. So each rule asks for evidence that a healthy program does
/// not show, over the whole observation, and gives a reason for its thresholds.
public sealed interface Rule
        permits BlockingCallsRule,
                BusyLoopRule,
                ChildProcessRule,
                ConvoyRule,
                CpuHogRule,
                DeadlockRule,
                GcPressureRule,
                HotCallRule,
                LeakRule,
                LockedWorkersRule,
                LostTasksRule,
                LostUnlockRule,
                LostWakeUpRule,
                PinnedRule,
                PoolExhaustedRule,
                PoolSaturatedRule,
                ProcsAboveCpusRule,
                ProcsBelowCpusRule,
                QueueGrowsRule,
                RacyQueueRule,
                SelectSpinRule,
                SerialServerRule,
                SleepPollingRule,
                SlowConsumerRule,
                SlowDiskRule,
                SlowDnsRule,
                SlowLockRule,
                SocketReadsRule,
                SocketWritesRule,
                StealStormRule,
                ThreadLocalsRule,
                ThrottledRule,
                ThunderingHerdRule,
                TimerStormRule,
                UnboundedSpawnRule,
                YieldPollingRule {

    /// All rules, each once.
    List<Rule> ALL = List.of(
            new DeadlockRule(),
            new LostWakeUpRule(),
            new LostTasksRule(),
            new LostUnlockRule(),
            new RacyQueueRule(),
            new LeakRule(),
            new UnboundedSpawnRule(),
            new LockedWorkersRule(),
            new SelectSpinRule(),
            new BusyLoopRule(),
            new HotCallRule(),
            new CpuHogRule(),
            new BlockingCallsRule(),
            new PoolExhaustedRule(),
            new PoolSaturatedRule(),
            new PinnedRule(),
            new ConvoyRule(),
            new SlowLockRule(),
            new GcPressureRule(),
            new ProcsAboveCpusRule(),
            new ThrottledRule(),
            new ProcsBelowCpusRule(),
            new StealStormRule(),
            new QueueGrowsRule(),
            new SlowConsumerRule(),
            new SocketReadsRule(),
            new SocketWritesRule(),
            new ChildProcessRule(),
            new SerialServerRule(),
            new SleepPollingRule(),
            new YieldPollingRule(),
            new ThunderingHerdRule(),
            new ThreadLocalsRule(),
            new SlowDiskRule(),
            new SlowDnsRule(),
            new TimerStormRule());

    /// The cause that this rule recognises.
    Cause cause();

    /// Whether the rule is only asked about a JVM that has warmed up. False for what no slow start can bring
    /// about, a deadlock for example.
    default boolean needsWarmth() {
        return true;
    }

    /// The part of the rule that no slow start can bring about, if it needs warmth otherwise.
    default Optional<Finding> checkCold(Observation seen) {
        return Optional.empty();
    }

    /// The finding, if the rule applies to the observation.
    Optional<Finding> check(Observation seen);
}
