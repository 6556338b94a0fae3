package dev.heddle.internal.procs;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Which NUMA node each CPU belongs to, and how far nodes are from each other, from `/sys/devices/system/node`.
///
/// Node indices run from 0 without gaps, in the order of the kernel's node numbers. Where the kernel does not tell,
/// there is one node with all CPUs.
public final class NumaTopology {
    private static final String DIRECTORY = "/sys/devices/system/node/";
    private static final int LOCAL_DISTANCE = 10; // ACPI's unit

    private final CpuSet[] cpusOfNode;
    private final int[][] distances;
    private final @Nullable String problem;

    private NumaTopology(CpuSet[] cpusOfNode, int[][] distances, @Nullable String problem) {
        this.cpusOfNode = cpusOfNode;
        this.distances = distances;
        this.problem = problem;
    }

    /// One node with every CPU.
    public static NumaTopology single() {
        return single(null);
    }

    private static NumaTopology single(@Nullable String problem) {
        return new NumaTopology(new CpuSet[] {CpuSet.of()}, new int[][] {{LOCAL_DISTANCE}}, problem);
    }

    /// Reads the topology; files that cannot be used give one node and a [#problem].
    public static NumaTopology read(SystemFiles files) {
        try {
            String online = files.read(DIRECTORY.concat("online"));
            return online == null ? single() : read(files, list(DIRECTORY.concat("online"), online));
        } catch (IOException e) {
            return single(e.getMessage());
        }
    }

    private static NumaTopology read(SystemFiles files, CpuSet nodes) throws IOException {
        if (nodes.isEmpty()) {
            throw new MalformedFileException(DIRECTORY.concat("online"), "it names no node");
        }
        int[] numbers = nodes.toArray();
        CpuSet[] cpus = new CpuSet[numbers.length];
        int[][] distances = new int[numbers.length][];
        for (int i = 0; i < numbers.length; i++) {
            String directory = DIRECTORY.concat("node").concat(Integer.toString(numbers[i]));
            String cpuList = directory.concat("/cpulist");
            cpus[i] = list(cpuList, required(files, cpuList));
            String distanceFile = directory.concat("/distance");
            distances[i] = distances(distanceFile, required(files, distanceFile), numbers.length);
        }
        return new NumaTopology(cpus, distances, null);
    }

    private static String required(SystemFiles files, String path) throws IOException {
        String text = files.read(path);
        if (text == null) {
            throw new IOException(path + " is missing");
        }
        return text;
    }

    private static CpuSet list(String path, String text) throws MalformedFileException {
        try {
            return CpuSet.parse(text.strip());
        } catch (IllegalArgumentException e) {
            throw new MalformedFileException(path, "it is not a list such as 0-3,7", text);
        }
    }

    /// One row of the distance matrix: a number per node, separated by spaces.
    private static int[] distances(String path, String text, int nodes) throws MalformedFileException {
        String row = text.strip();
        int[] result = new int[nodes];
        int from = 0;
        for (int i = 0; i < nodes; i++) {
            int space = row.indexOf(' ', from);
            int to = space < 0 ? row.length() : space;
            long distance = Decimal.parse(row, Math.min(from, to), to);
            if (distance == Decimal.NONE || distance > Integer.MAX_VALUE || (space < 0) != (i == nodes - 1)) {
                throw new MalformedFileException(path, "it is not one number per node", text);
            }
            result[i] = (int) distance;
            from = to + 1;
        }
        return result;
    }

    /// How many nodes there are, at least 1; some may have memory only.
    public int nodes() {
        return cpusOfNode.length;
    }

    /// The CPUs of a node; empty for the only node of an unknown topology.
    public CpuSet cpusOf(int node) {
        return cpusOfNode[node];
    }

    /// The node of a CPU; 0 for a CPU that no node claims.
    public int nodeOf(int cpu) {
        for (int node = 0; node < cpusOfNode.length; node++) {
            if (cpusOfNode[node].contains(cpu)) {
                return node;
            }
        }
        return 0;
    }

    /// How far `to` is from `from`, 10 for the same node.
    public int distance(int from, int to) {
        return distances[from][to];
    }

    /// Why the topology could not be read, in one sentence, or null.
    public @Nullable String problem() {
        return problem;
    }

    @Override
    public String toString() {
        return "NumaTopology" + Arrays.toString(cpusOfNode);
    }
}
