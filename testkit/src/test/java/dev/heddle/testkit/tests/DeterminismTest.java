package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A seed has one interleaving. `-Dheddle.testkit.scale=20` runs each of 20 seeds 1,000 times.
class DeterminismTest {

    private static final int SCALE = Integer.getInteger("heddle.testkit.scale", 1);
    private static final int SEEDS = 20;
    private static final int CHECKS = 17 * SCALE; // of three runs each

    @Test
    void aSeedHasOneInterleavingOfLocksQueuesAndTimeouts() {
        requireOneEach(Determinism::locks);
    }

    @Test
    void aSeedHasOneInterleavingOfMonitors() {
        requireOneEach(Determinism::monitors);
    }

    private static void requireOneEach(Determinism.Program program) {
        Set<String> all = new HashSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            Set<String> logs = new HashSet<>(Determinism.logs(seed, CHECKS, program));
            assertThat(logs).as("interleavings of seed " + seed).hasSize(1);
            all.addAll(logs);
        }
        assertThat(all).as("interleavings of all seeds").hasSize(SEEDS);
    }

    @Test
    void anotherJvmDoesTheSame() throws IOException, InterruptedException {
        List<String> here = new ArrayList<>();
        for (int seed = 0; seed < 5; seed++) {
            here.addAll(Determinism.logs(seed, 1, Determinism::locks));
            here.addAll(Determinism.logs(seed, 1, Determinism::monitors));
        }
        OtherJvm other = OtherJvm.run(Determinism.class, List.of(), "5");
        assertThat(other.output().lines()).containsExactlyElementsOf(here);
    }
}
