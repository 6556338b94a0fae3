package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.testing.LiveJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A JVM under `taskset`.
/// Go: TestCgroupGOMAXPROCSSchedAffinity, and `taskset -c 0` of F71.
@EnabledOnOs(OS.LINUX)
class AffinityTest {
    private static final String TASKSET = "/usr/bin/taskset";

    private final CpuLimits here = new CpuLimitsReader(SystemFiles.real(), 1).read();

    @BeforeEach
    void needsTaskset() {
        assumeTrue(Files.isExecutable(Path.of(TASKSET)), "there is no taskset on this machine");
        assumeTrue(here.affinity() != null, "this machine does not tell which CPUs may be used");
    }

    private static void taskset(String... words) throws Exception {
        Process process = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void oneCpuGivesOneProcessor() throws Exception {
        String cpu = String.valueOf(here.affinity().next(0));
        try (LiveJvm probe = ProcsProbe.start("-", TASKSET, "-c", cpu)) {
            assertThat(probe.ask("poll")).startsWith("unchanged procs=1: affinity 1, ");
        }
    }

    @Test
    void aChangeAtRunTimeIsFollowed() throws Exception {
        assumeTrue(here.cpus() > 1, "this machine has only one CPU");
        String all = here.affinity().toString();
        String first = String.valueOf(here.affinity().next(0));
        try (LiveJvm probe = ProcsProbe.start("-")) {
            assertThat(probe.ask("poll")).startsWith("unchanged ");
            String pid = String.valueOf(probe.pid());

            taskset(TASKSET, "-a", "-c", "-p", first, pid);
            assertThat(probe.ask("poll")).startsWith("changed procs=1: affinity 1, ");
            taskset(TASKSET, "-a", "-c", "-p", all, pid);
            assertThat(probe.ask("poll")).startsWith("changed procs=");
        }
    }
}
