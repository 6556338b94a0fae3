package dev.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.testing.ChildJvm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Missing evidence degrades the monitor's judgement and never freezes it: each program of [FreezeProgram] ends
/// with the better ranks of evidence hidden.
@EnabledOnOs(value = OS.LINUX, disabledReason = "files under /proc, LD_PRELOAD")
public final class EvidenceTest {

    /// Long enough for a busy machine; only a failure waits so long.
    private static final String PATIENCE_SECONDS = "60";

    @TempDir
    private Path folder;

    /// `schedstat` is missing under gVisor and on hardened kernels, `/task/` where /proc is not mounted.
    @ParameterizedTest
    @CsvSource({
        "pinned, schedstat",
        "hogs, schedstat",
        "files, schedstat",
        "pinned, thread-self",
        "hogs, thread-self",
        "files, thread-self"
    })
    void endsWithFilesUnderProcHidden(String way, String hidden) throws Exception {
        assertThat(run(way, "-Xshare:auto", Map.of("LD_PRELOAD", library("hide-proc"), "HIDE", hidden)))
                .isEqualTo("ended");
    }

    @ParameterizedTest
    @CsvSource({"pinned, jvm", "hogs, jvm", "files, jvm", "pinned, time", "hogs, time", "files, time"})
    void endsWithBetterRanksSwitchedOff(String way, String rank) throws Exception {
        assertThat(run(way, "-Dheddle.evidence=" + rank, Map.of())).isEqualTo("ended");
    }

    @ParameterizedTest
    @CsvSource({"pinned", "hogs", "files"})
    void endsWhereShortSleepsTakeSixteenMilliseconds(String way) throws Exception {
        assertThat(run(way, "-Xshare:auto", Map.of("LD_PRELOAD", library("coarse-timers"))))
                .isEqualTo("ended");
    }

    /// Compiles a library of this test's resources.
    private String library(String name) throws IOException, InterruptedException {
        Path source = folder.resolve(name + ".c");
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream(name + ".c"))) {
            Files.copy(in, source);
        }
        Path library = folder.resolve(name + ".so");
        boolean compiled;
        try {
            compiled =
                    new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                                    .inheritIO()
                                    .start()
                                    .waitFor()
                            == 0;
        } catch (IOException _) {
            compiled = false;
        }
        assumeTrue(compiled, "no gcc to compile " + name + ".c with");
        return library.toString();
    }

    private String run(String way, String option, Map<String, String> environment) throws Exception {
        Path fifo = folder.resolve("fifo");
        assumeTrue(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor() == 0, "no mkfifo here");
        ChildJvm child = ChildJvm.withoutHeddle(FreezeProgram.class, way, fifo.toString(), PATIENCE_SECONDS)
                .option(option, "-javaagent:" + AgentJar.of(folder) + "=procs=2");
        environment.forEach(child::environment);
        return String.join("\n", child.run().lines());
    }
}
