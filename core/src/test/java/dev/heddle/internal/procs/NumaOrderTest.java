package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NumaOrderTest {
    private static final NumaTopology TOPOLOGY = NumaTopology.read(fourNodes());

    /// A square: neighbours are 20 apart, opposite corners 31.
    private static FakeFiles fourNodes() {
        String nodes = "/sys/devices/system/node/";
        FakeFiles files = new FakeFiles().put(nodes + "online", "0-3\n");
        String[] distances = {"10 20 31 20", "20 10 20 31", "31 20 10 20", "20 31 20 10"};
        for (int i = 0; i < 4; i++) {
            files.put(nodes + "node" + i + "/cpulist", 4 * i + "-" + (4 * i + 3) + "\n")
                    .put(nodes + "node" + i + "/distance", distances[i] + "\n");
        }
        return files;
    }

    private static int[] enumerate(NumaOrder order, int thief, int random) {
        return IntStream.range(0, order.count())
                .map(position -> order.victim(thief, random, position))
                .toArray();
    }

    @Test
    void theOwnNodeComesFirstAndTheFarthestLast() {
        NumaOrder order = new NumaOrder(new int[] {0, 0, 1, 1, 2, 2, 3, 3}, TOPOLOGY);

        assertThat(order.isUniform()).isFalse();
        for (int random = -100; random < 100; random++) {
            int[] all = enumerate(order, 5, random);
            assertThat(IntStream.of(all).limit(2)).containsExactlyInAnyOrder(4, 5);
            assertThat(IntStream.of(all).skip(2).limit(4)).containsExactlyInAnyOrder(2, 3, 6, 7);
            assertThat(IntStream.of(all).skip(6)).containsExactlyInAnyOrder(0, 1);
        }
    }

    /// Some firmware says that all distances are the same, or 0.
    @Test
    void theOwnNodeComesFirstWhateverTheFirmwareSays() {
        String nodes = "/sys/devices/system/node/";
        NumaTopology strange = NumaTopology.read(fourNodes()
                .put(nodes + "online", "0-1\n")
                .put(nodes + "node0/distance", "10 10\n")
                .put(nodes + "node1/distance", "0 10\n"));
        NumaOrder order = new NumaOrder(new int[] {0, 0, 1, 1}, strange);

        for (int random = 0; random < 20; random++) {
            assertThat(IntStream.of(enumerate(order, 0, random)).limit(2)).containsExactlyInAnyOrder(0, 1);
            assertThat(IntStream.of(enumerate(order, 3, random)).limit(2)).containsExactlyInAnyOrder(2, 3);
        }
    }

    @Test
    void everyProcessorComesExactlyOnce() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            int count = 1 + random.nextInt(70);
            int[] nodes = random.ints(count, 0, 4).toArray();
            NumaOrder order = new NumaOrder(nodes, TOPOLOGY);
            int thief = random.nextInt(count);
            int seed = random.nextInt();

            int[] all = enumerate(order, thief, seed);
            assertThat(IntStream.of(all).sorted().toArray())
                    .as("thief %d, nodes %s, random %d", thief, nodes, seed)
                    .isEqualTo(IntStream.range(0, count).toArray());
            assertThat(IntStream.of(all)
                            .map(it -> nodes[it] == nodes[thief] ? 0 : TOPOLOGY.distance(nodes[thief], nodes[it]))
                            .toArray())
                    .isSorted();
        }
    }

    @Test
    void withinADistanceEachVictimIsFirstAboutEquallyOften() {
        NumaOrder order = new NumaOrder(new int[12], TOPOLOGY);
        assertThat(order.isUniform()).isTrue();
        Random random = new Random(1);
        Map<Integer, Integer> firsts = new HashMap<>();
        for (int i = 0; i < 12_000; i++) {
            firsts.merge(order.victim(3, random.nextInt(), 0), 1, Integer::sum);
        }

        assertThat(firsts).hasSize(12);
        assertThat(firsts.values()).allMatch(it -> it > 800 && it < 1200);
    }

    @Test
    void differentRandomNumbersGiveDifferentSteps() {
        NumaOrder order = new NumaOrder(new int[8], TOPOLOGY);

        assertThat(IntStream.range(0, 64)
                        .mapToObj(it -> Arrays.toString(enumerate(order, 0, it)))
                        .distinct())
                .hasSize(8 * 4); // 8 starts, 4 steps coprime to 8
    }

    @Test
    void needsAProcessor() {
        assertThatIllegalArgumentException().isThrownBy(() -> new NumaOrder(new int[0], TOPOLOGY));
    }
}
