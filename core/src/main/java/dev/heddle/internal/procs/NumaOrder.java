package dev.heddle.internal.procs;

import java.util.Arrays;

/// The order in which a processor visits all processors when it steals: first the processors on its own NUMA node, then
/// the others by increasing distance. At equal distance the order is pseudo-random, as in Go's `randomOrder`.
///
/// Immutable; asking allocates nothing. Any thread.
public final class NumaOrder {
    /*
     * Shape.      Per node, the processors sorted by distance (victims), cut into tiers of equal distance:
     *
     *                  own node     | distance 20  | distance 31
     *             | P0 P1 P2 P3     | P4 P5 P8 P9  | P6 P7 |
     *               0               4              8       10    (tierEnds: 4, 8, 10)
     *
     * Order.      Within a tier of length n: (start + i * step) mod n, with a step that is coprime to n, so that every
     *             member comes exactly once. Both come from one random number, as in Go (proc.go, randomOrder).
     */

    private final int[] nodeOfProcessor;
    private final int[][] victims;
    private final int[][] tierEnds;
    private final int[][] coprimes; // by length of a tier

    /// @param nodeOfProcessor the node of each processor, by its number
    public NumaOrder(int[] nodeOfProcessor, NumaTopology topology) {
        if (nodeOfProcessor.length == 0) {
            throw new IllegalArgumentException("there is no processor to steal from");
        }
        this.nodeOfProcessor = nodeOfProcessor.clone();
        int nodes = topology.nodes();
        victims = new int[nodes][];
        tierEnds = new int[nodes][];
        coprimes = new int[nodeOfProcessor.length + 1][];
        for (int node = 0; node < nodes; node++) {
            addNode(node, topology);
        }
    }

    /// One tier per pass, nearest first; no sort, whose lambdas would load while the JVM starts.
    private void addNode(int node, NumaTopology topology) {
        int count = nodeOfProcessor.length;
        int[] order = new int[count];
        int[] ends = new int[count];
        int tiers = 0;
        int filled = 0;
        long last = -1;
        while (filled < count) {
            long nearest = Long.MAX_VALUE;
            for (int other : nodeOfProcessor) {
                long distance = distance(node, other, topology);
                if (distance > last && distance < nearest) {
                    nearest = distance;
                }
            }
            int tierStart = filled;
            for (int processor = 0; processor < count; processor++) {
                if (distance(node, nodeOfProcessor[processor], topology) == nearest) {
                    order[filled++] = processor;
                }
            }
            int length = filled - tierStart;
            if (coprimes[length] == null) {
                coprimes[length] = coprimesOf(length);
            }
            ends[tiers++] = filled;
            last = nearest;
        }
        victims[node] = order;
        tierEnds[node] = Arrays.copyOf(ends, tiers);
    }

    /// Regardless of what sysfs reports, no node is nearer than the processor's own.
    private static long distance(int node, int other, NumaTopology topology) {
        return node == other ? 0 : 1L + topology.distance(node, other);
    }

    private static int[] coprimesOf(int length) {
        int[] found = new int[length];
        int count = 0;
        for (int step = 1; step <= length; step++) {
            if (gcd(step, length) == 1) {
                found[count++] = step;
            }
        }
        return Arrays.copyOf(found, count);
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /// How many processors there are: the positions of [#victim] run from 0 to below it.
    public int count() {
        return nodeOfProcessor.length;
    }

    /// Whether the order is the same as a uniform one, because all processors are on one node.
    public boolean isUniform() {
        for (int node : nodeOfProcessor) {
            if (node != nodeOfProcessor[0]) {
                return false;
            }
        }
        return true;
    }

    /// The processor at one position of the order; over all positions each processor comes exactly once, the thief
    /// too.
    ///
    /// @param thief the processor that steals
    /// @param random one random number per enumeration
    /// @param position from 0 to below [#count]
    public int victim(int thief, int random, int position) {
        int node = nodeOfProcessor[thief];
        int[] ends = tierEnds[node];
        int tier = 0;
        while (position >= ends[tier]) {
            tier++;
        }
        int start = tier == 0 ? 0 : ends[tier - 1];
        int length = ends[tier] - start;
        int[] steps = coprimes[length];
        int unsigned = random & Integer.MAX_VALUE;
        long step = steps[unsigned / length % steps.length];
        int offset = (int) ((unsigned % length + (position - start) * step) % length);
        return victims[node][start + offset];
    }
}
