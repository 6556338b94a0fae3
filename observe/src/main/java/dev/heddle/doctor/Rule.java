package dev.heddle.doctor;

import java.util.List;
import java.util.Optional;

/// Recognises one cause.
///
/// A rule that is wrong costs the reader more than a rule that stays silent: each asks for evidence that a
/// healthy program does not show, over the whole observation, and its thresholds say why they are what they
/// are.
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
                RacyQueueRule,
                SelectSpinRule,
                SlowLockRule,
                StealStormRule,
                ThrottledRule,
                UnboundedSpawnRule {

    /// All of them, each once.
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
            new StealStormRule());

    /// The cause it recognises.
    Cause cause();

    /// The finding, if the cause is at work.
    Optional<Finding> check(Observation seen);
}
