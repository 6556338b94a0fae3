package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PinningTest {
    private static final NumaTopology NUMA = NumaTopology.read(NumaTopologyTest.threeNodes());

    private static Pinning pin(String value, String allowed, NumaTopology topology) {
        FakeFiles files = allowed == null ? new FakeFiles() : FakeFiles.withCpus(allowed);
        ProcsSettings settings = ProcsSettings.parse(null, null, value, null, null);
        return Pinning.of(settings, new CpuLimitsReader(files, 4).read(), topology);
    }

    private static int[] cpus(Pinning pinning, int procs) {
        return IntStream.range(0, procs).map(pinning::cpuOf).toArray();
    }

    @Test
    void isOffUnlessAskedFor() {
        assertThat(pin(null, "0-7", NUMA)).isNull();
    }

    @Test
    void handsOutTheListAndStartsAgain() {
        assertThat(cpus(pin("1,3-4", "0-7", NumaTopology.single()), 5)).containsExactly(1, 3, 4, 1, 3);
    }

    @Test
    void autoHandsOutWhatMayBeUsedNodeByNode() {
        Pinning pinning = pin("auto", "2-9", NUMA);

        assertThat(cpus(pinning, 8)).containsExactly(2, 3, 8, 9, 4, 5, 6, 7);
        assertThat(IntStream.range(0, 8).map(pinning::nodeOf)).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
    }

    @Test
    void stealsFromTheOwnNodeFirst() {
        NumaOrder order = pin("auto", "2-9", NUMA).stealOrder(8);

        assertThat(IntStream.range(0, 4).map(it -> order.victim(6, 12345, it))).containsExactlyInAnyOrder(4, 5, 6, 7);
        assertThat(IntStream.range(4, 8).map(it -> order.victim(6, 12345, it))).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void cpusThatMayNotBeUsedAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pin("0-9", "0-7", NUMA))
                .withMessage("-Dheddle.pin=0-9 is refused: this process may not use CPU 8-9, only 0-7");
    }

    @Test
    void autoNeedsToKnowTheCpus() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pin("auto", null, NUMA))
                .withMessage("-Dheddle.pin=auto is refused: this system does not tell which CPUs may be used");
        assertThat(cpus(pin("2", null, NUMA), 1)).containsExactly(2);
    }
}
