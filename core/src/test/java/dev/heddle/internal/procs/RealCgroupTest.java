package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.LiveJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A JVM in a real cgroup, v1 or v2, whatever this machine has; it pretends to have 8 CPUs.
@EnabledOnOs(OS.LINUX)
class RealCgroupTest {

    private static String quota(TestCgroup cgroup, int micros) {
        return cgroup.quotaFile().getFileName() + " " + micros + "/100000 in " + cgroup.group();
    }

    @Test
    void quotaChangesAtRunTimeAreFollowed() throws Exception {
        try (TestCgroup cgroup = TestCgroup.create();
                LiveJvm probe = ProcsProbe.start("0-7")) {
            assertThat(probe.ask("poll")).startsWith("unchanged procs=8: affinity 8, no CPU quota in ");

            cgroup.setQuota(300_000);
            cgroup.add(probe.pid()); // the move is noticed too
            assertThat(probe.ask("poll"))
                    .isEqualTo("changed procs=3: " + quota(cgroup, 300_000) + " is 3 (affinity 8)");
            assertThat(probe.ask("spinning")).isEqualTo("false");

            cgroup.setQuota(150_000);
            assertThat(probe.ask("poll"))
                    .isEqualTo("changed procs=2: " + quota(cgroup, 150_000) + " rounds up to 2 (affinity 8)");
            assertThat(probe.ask("spinning")).isEqualTo("true");

            cgroup.setQuota(200_001);
            assertThat(probe.ask("poll"))
                    .isEqualTo("changed procs=3: " + quota(cgroup, 200_001) + " rounds up to 3 (affinity 8)");
            assertThat(probe.ask("poll")).startsWith("unchanged procs=3");

            cgroup.setQuota(0);
            assertThat(probe.ask("poll")).startsWith("changed procs=8: affinity 8, no CPU quota in " + cgroup.group());
        }
    }

    @Test
    void anAncestorsQuotaCounts() throws Exception {
        try (TestCgroup pod = TestCgroup.create();
                TestCgroup container = pod.child("container");
                LiveJvm probe = ProcsProbe.start("0-7")) {
            assertThat(probe.ask("poll")).startsWith("unchanged procs=8"); // it has decided before it is moved
            container.setQuota(250_000);
            container.add(probe.pid());
            assertThat(probe.ask("poll"))
                    .isEqualTo("changed procs=3: " + quota(container, 250_000) + " rounds up to 3 (affinity 8)");

            container.setQuota(0);
            pod.setQuota(400_000);
            assertThat(probe.ask("poll")).isEqualTo("changed procs=4: " + quota(pod, 400_000) + " is 4 (affinity 8)");
        }
    }

    @Test
    void throttlingIsCounted() throws Exception {
        try (TestCgroup cgroup = TestCgroup.create();
                LiveJvm probe = ProcsProbe.start("-")) {
            probe.ask("poll"); // a JVM that starts within this quota takes seconds
            cgroup.add(probe.pid());
            cgroup.setQuota(10_000);
            assertThat(probe.ask("burn")).isEqualTo("throttled");
            assertThat(probe.ask("spinning")).isEqualTo("true");
            cgroup.setQuota(0);
            assertThat(probe.ask("throttled"))
                    .matches("true Throttling\\[periods=\\d+, throttledPeriods=[1-9]\\d*, throttledNanos=\\d+]");
        }
    }
}
