package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.doctor.Cause;
import dev.heddle.doctor.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The doctor on programs whose virtual threads wait for locks, latches and pools, and on healthy ones that look like
/// them. Most of their threads sleep, so the programs run side by side.
final class ContendedTest {

    private static final Map<String, Cause> SICK = Map.of(
            "lostPermits", Cause.POOL_EXHAUSTED,
            "connections", Cause.POOL_EXHAUSTED,
            "deadLatch", Cause.LOST_TASKS,
            "upgrade", Cause.DEADLOCK,
            "mixedDeadlock", Cause.DEADLOCK,
            "nestedPool", Cause.POOL_SATURATED);

    private static final List<String> HEALTHY =
            List.of("sleepAfterUnlock", "signals", "workers", "leader", "stopLatch", "initialiserFixed");

    @TempDir
    private static Path classes;

    @BeforeAll
    static void compile() {
        Path program = Path.of("src", "test", "resources", "dev", "heddle", "cli", "Contended.java");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-nowarn", "-d", classes.toString(), program.toString()))
                .isZero();
    }

    private interface Check {
        void of(String mode, RecordedProgram program) throws IOException;
    }

    @Test
    void namesWhatThreadsWaitFor() throws IOException {
        sideBySide(List.copyOf(SICK.keySet()), (mode, program) -> {
            await().alias(mode)
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> program.causes().contains(SICK.get(mode)));
            assertThat(program.findings()).as(mode).extracting(Finding::cause).containsExactly(SICK.get(mode));
        });
    }

    @Test
    void findsNothingInProgramsThatOnlyLookLikeIt() throws IOException {
        sideBySide(HEALTHY, (mode, program) -> {
            program.awaitDiagnosis(/* seconds= */ 2);
            assertThat(program.findings()).as(mode).isEmpty();
        });
    }

    /// It computes on all processors, with more threads than there are.
    @Test
    void findsNothingInABatch() throws IOException {
        sideBySide(List.of("batch"), (mode, program) -> {
            program.awaitDiagnosis(/* seconds= */ 2);
            assertThat(program.findings()).as(mode).isEmpty();
        });
    }

    /// From its first second on, with clients from the start.
    @Test
    void findsNothingInAServerThatStarts() throws IOException {
        sideBySide(List.of("server"), (mode, program) -> {
            program.awaitDiagnosis(/* seconds= */ 4);
            assertThat(program.findings()).as(mode).isEmpty();
        });
    }

    private static void sideBySide(List<String> modes, Check check) throws IOException {
        List<RecordedProgram> programs = new ArrayList<>();
        try {
            for (String mode : modes) {
                programs.add(new RecordedProgram(classes, "Contended", mode));
            }
            for (int i = 0; i < modes.size(); i++) {
                check.of(modes.get(i), programs.get(i));
            }
        } finally {
            for (RecordedProgram program : programs) {
                program.close();
            }
        }
    }
}
