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
                CpuHogRule,
                DeadlockRule,
                GcPressureRule,
                LeakRule,
                LockedWorkersRule,
                LostTasksRule,
                ProcsAboveCpusRule,
                ProcsBelowCpusRule,
                QueueGrowsRule,
                RacyQueueRule,
                SelectSpinRule,
                SleepPollingRule,
                SlowConsumerRule,
                SlowDiskRule,
                SlowDnsRule,
                SlowLockRule,
                SocketReadsRule,
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
            new LostTasksRule(),
            new RacyQueueRule(),
            new LeakRule(),
            new UnboundedSpawnRule(),
            new LockedWorkersRule(),
            new SelectSpinRule(),
            new BusyLoopRule(),
            new CpuHogRule(),
            new BlockingCallsRule(),
            new SlowLockRule(),
            new GcPressureRule(),
            new ProcsAboveCpusRule(),
            new ThrottledRule(),
            new ProcsBelowCpusRule(),
            new StealStormRule(),
            new QueueGrowsRule(),
            new SlowConsumerRule(),
            new SocketReadsRule(),
            new SleepPollingRule(),
            new YieldPollingRule(),
            new ThunderingHerdRule(),
            new ThreadLocalsRule(),
            new SlowDiskRule(),
            new SlowDnsRule(),
            new TimerStormRule());

    /// The cause that this rule recognises.
    Cause cause();

    /// The finding, if the rule applies to the observation.
    Optional<Finding> check(Observation seen);
}
