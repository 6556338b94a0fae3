package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcsReportTest {

    @Test
    void saysTheDecisionAndWhatItWasMadeFrom() {
        FakeFiles files = FakeFiles.inCgroupV2()
                .put(FakeFiles.LEAF + "cpu.max", "250000 100000\n")
                .put(FakeFiles.LEAF + "cpu.stat", "nr_periods 90\nnr_throttled 3\nthrottled_usec 2500\n");
        ProcsSettings settings = ProcsSettings.parse(null, null, "auto", null, null);
        ProcsWatcher watcher = new ProcsWatcher(files, settings, 1, 0);

        assertThat(ProcsReport.of(watcher, NumaTopology.read(NumaTopologyTest.threeNodes())))
                .containsExactly(
                        "procs=3: cpu.max 250000/100000 in /kubepods/x rounds up to 3 (affinity 8)",
                        "  cpus       8: 0-7",
                        "  cgroup     /kubepods/x (cgroup v2)",
                        "  quota      cpu.max 250000/100000 in /kubepods/x, 2.50 CPUs",
                        "  throttled  in 3 of 90 periods, 2.5 ms in all",
                        "  spinning   off: the quota is below procs",
                        "  numa       3 nodes, CPUs 0-3,8-11 | 4-7 | none",
                        "  pinning    P0 to P2 on CPU 0-2",
                        "  follows    affinity and quota, once a second");
    }

    @Test
    void saysWhatIsUnknownOrFixed() {
        ProcsSettings settings = ProcsSettings.parse("4", null, null, null, null);
        ProcsWatcher watcher = new ProcsWatcher(new FakeFiles(), settings, 2, 0);
        FakeFiles broken = NumaTopologyTest.threeNodes().remove("/sys/devices/system/node/node0/cpulist");

        assertThat(ProcsReport.of(watcher, NumaTopology.read(broken)))
                .containsExactly(
                        "procs=4: GOMAXPROCS=4 (by default 2: the JVM's CPU count 2, no CPU cgroup)",
                        "  cpus       2 (the JVM's count)",
                        "  cgroup     none",
                        "  quota      none",
                        "  throttled  never (no period was limited)",
                        "  spinning   on",
                        "  numa       unknown: /sys/devices/system/node/node0/cpulist is missing",
                        "  pinning    off",
                        "  follows    nothing: the number is set by GOMAXPROCS=4");
    }
}
