package dev.heddle.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// An idle scheduler gets ready for hogs, so that relief does not compete with them.
class PreparationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void aMachineIsKeptForTheNextHandOff() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            useAndRest(rig);
            rig.startHogs(2);
            await("a spare machine beside both owners")
                    .atMost(PATIENCE)
                    .until(() -> rig.stats().idleProcs() == 0 && kernel.idle.idleMachines() >= 1);
        }
    }

    /// And not before it has been used: a program without virtual threads pays nothing.
    @Test
    void theDemoterBeginsWhileTheSchedulerIsIdle() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            await("asleep").atMost(PATIENCE).until(kernel.monitor::isDeep);
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread ->
                            thread instanceof Demoter && thread.getName().startsWith(kernel.name()));
            useAndRest(rig);
        }
    }

    private static void useAndRest(Rig rig) throws InterruptedException {
        rig.await(rig.goMany(1, () -> {}));
        Kernel kernel = rig.kernel();
        await("the demoter")
                .atMost(PATIENCE)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread ->
                                thread instanceof Demoter && thread.getName().startsWith(kernel.name())));
    }
}
