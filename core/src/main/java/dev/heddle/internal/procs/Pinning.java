package dev.heddle.internal.procs;

import org.jspecify.annotations.Nullable;

/// Which CPU each processor (P) is pinned to.
///
/// CPUs are handed out node by node, so that few processors share a node; when there are more processors than CPUs, the
/// CPUs are handed out again from the first.
public final class Pinning {
    private final int[] cpus; // in the order in which processors get them
    private final NumaTopology topology;

    private Pinning(int[] cpus, NumaTopology topology) {
        this.cpus = cpus;
        this.topology = topology;
    }

    /// The pinning that the settings ask for.
    ///
    /// @return null if none was asked for
    /// @throws IllegalArgumentException with one sentence for the user, if a CPU may not be used by this
    ///     process, or `auto` is asked for where the kernel does not tell which may
    public static @Nullable Pinning of(ProcsSettings settings, CpuLimits limits, NumaTopology topology) {
        CpuSet allowed = limits.affinity();
        CpuSet wanted = settings.pin();
        if (wanted == null) {
            if (!settings.pinAuto()) {
                return null;
            }
            if (allowed == null) {
                throw new IllegalArgumentException(
                        "-Dheddle.pin=auto is refused: this system does not tell which CPUs may be used");
            }
            return new Pinning(nodeByNode(allowed, topology), topology);
        }
        if (allowed != null && !wanted.minus(allowed).isEmpty()) {
            throw new IllegalArgumentException("-Dheddle.pin=" + wanted + " is refused: this process may not use CPU "
                    + wanted.minus(allowed) + ", only " + allowed);
        }
        return new Pinning(nodeByNode(wanted, topology), topology);
    }

    private static int[] nodeByNode(CpuSet set, NumaTopology topology) {
        int[] ascending = set.toArray();
        int[] grouped = new int[ascending.length];
        int next = 0;
        for (int node = 0; node < topology.nodes(); node++) {
            for (int cpu : ascending) {
                if (topology.nodeOf(cpu) == node) {
                    grouped[next++] = cpu;
                }
            }
        }
        return grouped;
    }

    /// The CPU of a processor, by its number from 0.
    public int cpuOf(int processor) {
        return cpus[processor % cpus.length];
    }

    /// The NUMA node of a processor's CPU.
    public int nodeOf(int processor) {
        return topology.nodeOf(cpuOf(processor));
    }

    /// The order in which `procs` processors pinned like this look for work to steal.
    public NumaOrder stealOrder(int procs) {
        int[] nodes = new int[procs];
        for (int i = 0; i < procs; i++) {
            nodes[i] = nodeOf(i);
        }
        return new NumaOrder(nodes, topology);
    }
}
