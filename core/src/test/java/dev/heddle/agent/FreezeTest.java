package dev.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs that freeze on the JDK's scheduler and end on Heddle. The first half keeps the second honest: without it a
/// program that cannot freeze would pass.
public final class FreezeTest {

    /// Long enough for a busy machine; only a failure waits so long.
    private static final String PATIENCE_SECONDS = "120";

    /// What is frozen stays so: there is no need to wait long.
    private static final String WATCHDOG_SECONDS = "3";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"pinned", "hogs", "files"})
    @EnabledOnOs(value = OS.LINUX, disabledReason = "mkfifo")
    void freezesOnTheJdksSchedulerAndEndsOnHeddle(String way) throws Exception {
        assertThat(run(way, "-Djdk.virtualThreadScheduler.maxPoolSize=2", WATCHDOG_SECONDS))
                .isEqualTo("frozen");
        assertThat(run(way, "-javaagent:" + AgentJar.of(folder) + "=procs=2", PATIENCE_SECONDS))
                .isEqualTo("ended");
    }

    private String run(String way, String option, String seconds) throws Exception {
        Path fifo = folder.resolve("fifo");
        new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor(); // says no the second time
        ChildJvm.Result child = ChildJvm.withoutHeddle(FreezeProgram.class, way, fifo.toString(), seconds)
                .option("-Djdk.virtualThreadScheduler.parallelism=2", option)
                .run();
        assertThat(child.err()).isEmpty();
        return child.out().strip();
    }
}
