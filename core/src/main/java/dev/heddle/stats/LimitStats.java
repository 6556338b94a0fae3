package dev.heddle.stats;

/// How the number of processors was decided, and whether the CPU quota throttles the process.
///
/// @param explanation      the number and the reason for it, as `heddle procs` prints them
/// @param explicit         whether the number was set explicitly
/// @param cpus             CPUs that the process may use
/// @param quotaCpus        CPUs' worth of time that its cgroup allows; 0 if there is no quota
/// @param periods          periods of the quota
/// @param throttledPeriods periods in which the process was throttled
/// @param throttledNanos   for how long it was throttled, summed over CPUs
/// @param throttledNow     whether it was throttled between the last two samples of the system monitor
public record LimitStats(
        String explanation,
        boolean explicit,
        int cpus,
        double quotaCpus,
        long periods,
        long throttledPeriods,
        long throttledNanos,
        boolean throttledNow) {}
