package dev.heddle.internal.procs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What `heddle procs` prints: the decision on one line, then what it was made from, one fact per line.
public final class ProcsReport {
    private ProcsReport() {}

    /// The report of this process, if it had these settings.
    ///
    /// @throws IllegalArgumentException with one sentence for the user, if the pinning asked for is impossible
    public static List<String> of(ProcsSettings settings) {
        return of(ProcsWatcher.ofThisProcess(SystemFiles.real(), settings), NumaTopology.read(SystemFiles.real()));
    }

    /// @throws IllegalArgumentException with one sentence for the user, if the pinning asked for is impossible
    static List<String> of(ProcsWatcher watcher, NumaTopology topology) {
        ProcsDecision decision = watcher.decision();
        CpuLimits limits = decision.limits();
        List<String> lines = new ArrayList<>();
        lines.add(decision.explain());
        add(
                lines,
                "cpus",
                limits.cpus() + (limits.affinity() == null ? " (the JVM's count)" : ": " + limits.affinity()));
        add(lines, "cgroup", limits.cgroup() == null ? "none" : limits.cgroup());
        CpuQuota quota = limits.quota();
        add(lines, "quota", quota == null ? "none" : quota + ", " + cpus(quota));
        add(lines, "throttled", throttled(limits.throttling()));
        add(lines, "spinning", watcher.spinningWastesQuota() ? "off: the quota is below procs" : "on");
        add(lines, "numa", numa(topology));
        add(lines, "pinning", pinning(decision, topology));
        add(lines, "follows", follows(decision.settings()));
        return lines;
    }

    private static void add(List<String> lines, String name, String value) {
        lines.add(String.format(Locale.ROOT, "  %-10s %s", name, value));
    }

    private static String cpus(CpuQuota quota) {
        return String.format(Locale.ROOT, "%.2f CPUs", quota.cpus());
    }

    private static String throttled(Throttling throttling) {
        return throttling.periods() == 0
                ? "never (no period was limited)"
                : String.format(
                        Locale.ROOT,
                        "in %d of %d periods, %.1f ms in all",
                        throttling.throttledPeriods(),
                        throttling.periods(),
                        throttling.throttledNanos() / 1e6);
    }

    private static String numa(NumaTopology topology) {
        if (topology.problem() != null) {
            return "unknown: " + topology.problem();
        }
        if (topology.nodes() == 1) {
            return "one node";
        }
        List<String> nodes = new ArrayList<>();
        for (int node = 0; node < topology.nodes(); node++) {
            nodes.add(
                    topology.cpusOf(node).isEmpty()
                            ? "none"
                            : topology.cpusOf(node).toString());
        }
        return topology.nodes() + " nodes, CPUs " + String.join(" | ", nodes);
    }

    private static String pinning(ProcsDecision decision, NumaTopology topology) {
        Pinning pinning = Pinning.of(decision.settings(), decision.limits(), topology);
        if (pinning == null) {
            return "off";
        }
        int[] cpus = new int[decision.procs()];
        for (int i = 0; i < cpus.length; i++) {
            cpus[i] = pinning.cpuOf(i);
        }
        return "P0 to P" + (cpus.length - 1) + " on CPU " + CpuSet.of(cpus);
    }

    private static String follows(ProcsSettings settings) {
        if (settings.isExplicit()) {
            return "nothing: the number is set by " + settings.origin();
        }
        return settings.updates() ? "affinity and quota, once a second" : "nothing: heddle.updatemaxprocs=0";
    }
}
