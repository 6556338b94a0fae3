package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcsDecisionTest {

    private static ProcsDecision decide(FakeFiles files, String gomaxprocs, String pin) {
        ProcsSettings settings = ProcsSettings.parse(gomaxprocs, null, pin, null, null);
        return ProcsDecision.of(settings, new CpuLimitsReader(files, 5).read());
    }

    /// Go: TestCgroupGOMAXPROCSRound, HigherThanNumCPU, SchedAffinity.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200001|0-7|3|cpu.max 200001/100000 in /kubepods/x rounds up to 3 (affinity 8)",
                "250000|0-7|3|cpu.max 250000/100000 in /kubepods/x rounds up to 3 (affinity 8)",
                "299999|0-7|3|cpu.max 299999/100000 in /kubepods/x rounds up to 3 (affinity 8)",
                "300000|0-7|3|cpu.max 300000/100000 in /kubepods/x is 3 (affinity 8)",
                "200000|0-7|2|cpu.max 200000/100000 in /kubepods/x is 2 (affinity 8)",
                "150000|0-7|2|cpu.max 150000/100000 in /kubepods/x rounds up to 2 (affinity 8)",
                "100000|0-7|2|cpu.max 100000/100000 in /kubepods/x asks for 1, but the least is 2 (affinity 8)",
                "50000|0-7|2|cpu.max 50000/100000 in /kubepods/x asks for 1, but the least is 2 (affinity 8)",
                "800000|0-7|8|cpu.max 800000/100000 in /kubepods/x is 8 (affinity 8)",
                "1600000|0-7|8|affinity 8, fewer than cpu.max 1600000/100000 in /kubepods/x allows",
                "300000|0-1|2|affinity 2, fewer than cpu.max 300000/100000 in /kubepods/x allows",
                "200000|0-1|2|cpu.max 200000/100000 in /kubepods/x is 2 (affinity 2)",
                "50000|0|1|affinity 1, fewer than cpu.max 50000/100000 in /kubepods/x allows",
                "max|3,5|2|affinity 2, no CPU quota in /kubepods/x (cgroup v2) or above it",
                "max|0-7|8|affinity 8, no CPU quota in /kubepods/x (cgroup v2) or above it",
            })
    void followsAffinityAndQuota(String quota, String cpus, int procs, String because) {
        FakeFiles files = FakeFiles.inCgroupV2()
                .put(CpuLimitsReader.STATUS, "Name:\tjava\nCpus_allowed_list:\t" + cpus + "\n")
                .put(FakeFiles.LEAF + "cpu.max", quota + " 100000\n");
        ProcsDecision decision = decide(files, null, null);

        assertThat(decision.procs()).isEqualTo(procs);
        assertThat(decision.explain()).isEqualTo("procs=" + procs + ": " + because);
    }

    @Test
    void withoutCgroupOrProc() {
        assertThat(decide(FakeFiles.withCpus("0-3"), null, null).explain())
                .isEqualTo("procs=4: affinity 4, no CPU cgroup");
        assertThat(decide(FakeFiles.inCgroupV2().put(CgroupPath.FILE, "0::/\n"), null, null)
                        .explain())
                .isEqualTo("procs=8: affinity 8, no CPU quota in / (cgroup v2)");
        assertThat(decide(new FakeFiles(), null, null).explain())
                .isEqualTo("procs=5: the JVM's CPU count 5, no CPU cgroup");
    }

    /// Go: TestCgroupGOMAXPROCSEnvironment.
    @Test
    void theEnvironmentWins() {
        FakeFiles files = FakeFiles.inCgroupV2().put(FakeFiles.LEAF + "cpu.max", "200000 100000\n");

        assertThat(decide(files, "3", null).explain())
                .isEqualTo(
                        "procs=3: GOMAXPROCS=3 (by default 2: cpu.max 200000/100000 in /kubepods/x is 2 (affinity 8))");
        assertThat(decide(files, "64", null).procs()).isEqualTo(64);
    }

    @Test
    void whatWasIgnoredIsSaid() {
        FakeFiles files = FakeFiles.inCgroupV2().put(FakeFiles.LEAF + "cpu.max", "200000\n");

        assertThat(decide(files, "auto", null).explain())
                .isEqualTo("procs=8: affinity 8, no CPU quota in /kubepods/x (cgroup v2) or above it; "
                        + "/sys/fs/cgroup/kubepods/x/cpu.max is malformed: it is not \"quota period\": \"200000\\n\"; "
                        + "GOMAXPROCS=auto is ignored: it is not a number from 1 to 65535");
    }

    @Test
    void pinnedProcessorsGetOneCpuEach() {
        assertThat(decide(FakeFiles.inCgroupV2(), null, "0-3").explain())
                .isEqualTo("procs=4: affinity 8, pinned to 0-3, no CPU quota in /kubepods/x (cgroup v2) or above it");
        assertThat(decide(FakeFiles.inCgroupV2(), "6", "0-3").procs()).isEqualTo(6);
        assertThat(decide(FakeFiles.inCgroupV2(), null, "auto").procs()).isEqualTo(8);
    }

    /// Go: TestCgroupGOMAXPROCS with containermaxprocs=0.
    @Test
    void quotasCanBeIgnored() {
        FakeFiles files = FakeFiles.inCgroupV2().put(FakeFiles.LEAF + "cpu.max", "300000 100000\n");
        ProcsSettings settings = ProcsSettings.parse(null, null, null, "0", null);

        assertThat(ProcsDecision.of(settings, new CpuLimitsReader(files, 5).read())
                        .explain())
                .isEqualTo("procs=8: affinity 8, quotas are ignored (heddle.containermaxprocs=0)");
    }
}
