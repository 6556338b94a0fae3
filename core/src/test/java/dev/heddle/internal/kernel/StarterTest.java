package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The thread that makes machines. Without it a scheduler that needs another machine would freeze.
class StarterTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// Whatever fails in a step of the starter, a bug in Heddle included: the next step makes a machine again.
    /// Each failure is counted, and the first one reported.
    @Test
    void aBugDoesNotEndTheStarter() throws Exception {
        try (Rig rig = Rig.procs(1);
                ErrorOutput printed = new ErrorOutput()) {
            Kernel kernel = rig.kernel();
            await("the monitor sleeps, so that only the starter can fail")
                    .atMost(PATIENCE)
                    .until(kernel.monitor::isDeep);
            long before = kernel.stats().repaired();
            long begin = System.nanoTime();
            try (BrokenLimits _ = new BrokenLimits(kernel)) {
                kernel.starter.signal();
                await("it has failed, again and again")
                        .atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> kernel.stats().repaired() > before + 7);
            }
            assertThat(System.nanoTime() - begin)
                    .as("pauses of 1, 2, 4, .. 64 ms, of which a few may end early")
                    .isGreaterThan(Duration.ofMillis(60).toNanos());
            rig.await(rig.goMany(1, () -> {})); // the first goroutine needs the first machine
            assertThat(kernel.starter.isAlive()).isTrue();
            await("the report")
                    .atMost(PATIENCE)
                    .until(() -> printed.count("the starter of threads failed and goes on") == 1);
        }
    }

    @Test
    void dumpsShowWhoseStarterItIs() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            assertThat(rig.kernel().starter.getName()).isEqualTo(rig.scheduler().name() + "-starter");
        }
    }
}
