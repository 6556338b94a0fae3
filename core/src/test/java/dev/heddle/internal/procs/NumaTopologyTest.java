package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumaTopologyTest {
    private static final String NODES = "/sys/devices/system/node/";

    /// Three nodes with a gap in their numbers; the last has memory only.
    static FakeFiles threeNodes() {
        return new FakeFiles()
                .put(NODES + "online", "0,2-3\n")
                .put(NODES + "node0/cpulist", "0-3,8-11\n")
                .put(NODES + "node0/distance", "10 20 31\n")
                .put(NODES + "node2/cpulist", "4-7\n")
                .put(NODES + "node2/distance", "20 10 31\n")
                .put(NODES + "node3/cpulist", "\n")
                .put(NODES + "node3/distance", "31 31 10\n");
    }

    @Test
    void readsNodesWithGaps() {
        NumaTopology topology = NumaTopology.read(threeNodes());

        assertThat(topology.problem()).isNull();
        assertThat(topology.nodes()).isEqualTo(3);
        assertThat(topology.nodeOf(9)).isZero();
        assertThat(topology.nodeOf(4)).isEqualTo(1);
        assertThat(topology.nodeOf(99)).isZero();
        assertThat(topology.cpusOf(0)).isEqualTo(CpuSet.parse("0-3,8-11"));
        assertThat(topology.cpusOf(2).isEmpty()).isTrue();
        assertThat(topology.distance(0, 1)).isEqualTo(20);
        assertThat(topology.distance(1, 2)).isEqualTo(31);
        assertThat(topology.distance(2, 2)).isEqualTo(10);
    }

    @Test
    void withoutSysfsThereIsOneNode() {
        NumaTopology topology = NumaTopology.read(new FakeFiles());

        assertThat(topology.problem()).isNull();
        assertThat(topology.nodes()).isEqualTo(1);
        assertThat(topology.nodeOf(77)).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "online|''|online is malformed: it names no node",
                "online|zero|online is malformed: it is not a list such as 0-3,7: \"zero\\n\"",
                "online|1|node1/cpulist is missing",
                "node2/cpulist|4-|node2/cpulist is malformed: it is not a list such as 0-3,7: \"4-\\n\"",
                "node2/distance|''|node2/distance is malformed: it is not one number per node: \"\\n\"",
                "node2/distance|10 20|node2/distance is malformed: it is not one number per node: \"10 20\\n\"",
                "node2/distance|1 2 3 4|node2/distance is malformed: it is not one number per node: \"1 2 3 4\\n\"",
                "node2/distance|10 x 30|node2/distance is malformed: it is not one number per node: \"10 x 30\\n\"",
                "node2/distance|10  30|node2/distance is malformed: it is not one number per node: \"10  30\\n\"",
            })
    void filesThatCannotBeUsedGiveOneNodeAndASentence(String file, String text, String problem) {
        NumaTopology topology = NumaTopology.read(threeNodes().put(NODES + file, text + "\n"));

        assertThat(topology.nodes()).isEqualTo(1);
        assertThat(topology.problem()).isEqualTo(NODES + problem);
    }

    @Test
    void anUnreadableFileGivesOneNodeAndASentence() {
        NumaTopology topology = NumaTopology.read(threeNodes().refuse(NODES + "node0/distance", "(Permission denied)"));

        assertThat(topology.nodes()).isEqualTo(1);
        assertThat(topology.problem()).isEqualTo(NODES + "node0/distance cannot be read: (Permission denied)");
    }

    @Test
    void readsThisMachine() {
        NumaTopology topology = NumaTopology.read(SystemFiles.real());

        assertThat(topology.problem()).isNull();
        assertThat(topology.nodes()).isPositive();
    }
}
