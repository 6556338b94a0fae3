package dev.heddle.internal.procs;

import org.jspecify.annotations.Nullable;

/// A number of processors, and why it is that number.
///
/// @param procs the number, at least 1
/// @param settings what was asked for
/// @param limits the limits that the operating system reported at that time
public record ProcsDecision(int procs, ProcsSettings settings, CpuLimits limits) {
    /// The least a quota can ask for: with one processor a single busy goroutine would stop all others. As in Go.
    static final int MIN_FOR_QUOTA = 2;

    public ProcsDecision {
        if (procs < 1) {
            throw new IllegalArgumentException("procs " + procs + " is below 1");
        }
    }

    /// The decision: the number asked for, else min(CPUs, max(2, quota rounded up)).
    ///
    /// Go: defaultGOMAXPROCS (cgroup_linux.go).
    public static ProcsDecision of(ProcsSettings settings, CpuLimits limits) {
        int procs = settings.isExplicit() ? settings.procs() : defaultProcs(settings, limits);
        return new ProcsDecision(procs, settings, limits);
    }

    private static int defaultProcs(ProcsSettings settings, CpuLimits limits) {
        int cpus = cpus(settings, limits);
        CpuQuota quota = limits.quota();
        if (quota == null || !settings.followsQuota()) {
            return cpus;
        }
        return Math.min(cpus, Math.max(MIN_FOR_QUOTA, quota.roundedUp()));
    }

    private static int cpus(ProcsSettings settings, CpuLimits limits) {
        CpuSet pin = settings.pin();
        return pin == null ? limits.cpus() : Math.min(pin.size(), limits.cpus());
    }

    /// The reason on one line, such as `procs=3: cpu.max 200001/100000 in /kubepods/x rounds up to 3 (affinity
    /// 8)`.
    public String explain() {
        String because = settings.isExplicit()
                ? settings.origin() + " (by default " + defaultProcs(settings, limits) + ": " + defaultReason() + ")"
                : defaultReason();
        String problem = limits.problem();
        String complaint = settings.complaint();
        return "procs=" + procs + ": " + because + (problem == null ? "" : "; " + problem)
                + (complaint == null ? "" : "; " + complaint);
    }

    private String defaultReason() {
        String cpus = cpusInWords();
        CpuQuota quota = limits.quota();
        if (!settings.followsQuota()) {
            return cpus + ", quotas are ignored (heddle.containermaxprocs=0)";
        }
        if (quota == null) {
            String cgroup = limits.cgroup();
            if (cgroup == null) {
                return cpus + ", no CPU cgroup";
            }
            return cpus + ", no CPU quota in " + cgroup + (cgroup.startsWith("/ ") ? "" : " or above it");
        }
        int wanted = quota.roundedUp();
        if (cpus(settings, limits) < Math.max(MIN_FOR_QUOTA, wanted)) {
            return cpus + ", fewer than " + quota + " allows";
        }
        if (wanted < MIN_FOR_QUOTA) {
            return quota + " asks for " + wanted + ", but the least is " + MIN_FOR_QUOTA + " (" + cpus + ")";
        }
        boolean isWhole = quota.quotaMicros() % quota.periodMicros() == 0;
        return quota + (isWhole ? " is " : " rounds up to ") + wanted + " (" + cpus + ")";
    }

    private String cpusInWords() {
        String words = (limits.affinity() == null ? "the JVM's CPU count " : "affinity ") + limits.cpus();
        @Nullable CpuSet pin = settings.pin();
        return pin == null ? words : words + ", pinned to " + pin;
    }
}
