package dev.heddle.internal.procs;

import org.jspecify.annotations.Nullable;

/// What the operating system reported about this process's CPUs at one point in time.
///
/// @param cpus how many CPUs its threads may run on, at least 1
/// @param affinity which ones, or null if only the JVM's count is known
/// @param cgroup the cgroup that could limit its CPU time, such as `/kubepods/x (cgroup v2)`, or null if there is none
/// @param quota the smallest quota of that cgroup and its ancestors, or null if there is none
/// @param throttling how often a quota has throttled the process
/// @param problem sentences about files that could not be used, or null
public record CpuLimits(
        int cpus,
        @Nullable CpuSet affinity,
        @Nullable String cgroup,
        @Nullable CpuQuota quota,
        Throttling throttling,
        @Nullable String problem) {

    public CpuLimits {
        if (cpus < 1) {
            throw new IllegalArgumentException("cpus " + cpus + " is below 1");
        }
    }
}
