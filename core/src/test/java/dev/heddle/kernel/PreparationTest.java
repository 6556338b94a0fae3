package dev.heddle.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// An idle scheduler gets ready for hogs, so that relief does not compete with them.
class PreparationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void aMachineIsKeptForTheNextHandOff() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            await("prepared").atMost(PATIENCE).until(kernel.monitor::isDeep);
            rig.startHogs(2);
            await("a spare machine beside both owners")
                    .atMost(PATIENCE)
                    .until(() -> rig.stats().idleProcs() == 0 && kernel.idle.idleMachines() >= 1);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theDemoterBeginsWhileTheSchedulerIsIdle() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            await("prepared").atMost(PATIENCE).until(kernel.monitor::isDeep);
            assertThat(Thread.getAllStackTraces().keySet())
                    .anyMatch(thread ->
                            thread instanceof Demoter && thread.getName().startsWith(kernel.name()));
        }
    }
}
