package dev.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A ready socket is served although every processor is busy: no machine runs dry and polls, so the system monitor
/// must.
public final class StarvationTest {

    /// Long enough for a busy machine; only a failure waits so long.
    private static final String PATIENCE_SECONDS = "60";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"hogs, 1, 1", "hogs, 2, 2", "hogs, 4, 4", "pairs, 4, 2", "yielders, 1, 1", "yielders, 3, 2"})
    void aRequestIsAnsweredWhileEveryProcessorIsBusy(String way, int busy, int procs) throws Exception {
        ChildJvm.Result child = ChildJvm.withoutHeddle(
                        StarvationProgram.class, way, String.valueOf(busy), PATIENCE_SECONDS)
                .option("-javaagent:" + AgentJar.of(folder) + "=procs=" + procs)
                .run();
        assertThat(child.err()).isEmpty();
        assertThat(child.out().strip()).isEqualTo("answered");
    }
}
