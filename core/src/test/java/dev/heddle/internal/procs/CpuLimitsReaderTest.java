package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuLimitsReaderTest {
    private static final int FALLBACK = 5;

    private static CpuLimits read(FakeFiles files) {
        return new CpuLimitsReader(files, FALLBACK).read();
    }

    @Test
    void readsCgroupV2() {
        CpuLimits limits = read(FakeFiles.inCgroupV2()
                .put(FakeFiles.LEAF + "cpu.max", "150000 100000\n")
                .put(FakeFiles.LEAF + "cpu.stat", "nr_periods 9\nnr_throttled 3\nthrottled_usec 2\n"));

        assertThat(limits)
                .isEqualTo(new CpuLimits(
                        8,
                        CpuSet.parse("0-7"),
                        "/kubepods/x (cgroup v2)",
                        new CpuQuota(150_000, 100_000, "cpu.max", "/kubepods/x"),
                        new Throttling(9, 3, 2000),
                        null));
    }

    @Test
    void readsCgroupV1() {
        CpuLimits limits = read(FakeFiles.inCgroupV1()
                .put("/sys/fs/cgroup/cpu,cpuacct/id/cpu.cfs_quota_us", "300000\n")
                .put("/sys/fs/cgroup/cpu,cpuacct/id/cpu.stat", "nr_periods 9\nnr_throttled 3\nthrottled_time 2\n"));

        assertThat(limits)
                .isEqualTo(new CpuLimits(
                        8,
                        CpuSet.parse("0-7"),
                        "/docker/id (cgroup v1)",
                        new CpuQuota(300_000, 100_000, "cpu.cfs_quota_us", "/docker/id"),
                        new Throttling(9, 3, 2),
                        null));
    }

    @Test
    void noQuotaIsNoProblem() {
        assertThat(read(FakeFiles.inCgroupV1()))
                .isEqualTo(
                        new CpuLimits(8, CpuSet.parse("0-7"), "/docker/id (cgroup v1)", null, Throttling.NONE, null));
    }

    @Test
    void theSmallestQuotaUpTheTreeWins() {
        FakeFiles files = FakeFiles.inCgroupV2()
                .put(CgroupPath.FILE, "0::/kubepods/pod/x\n")
                .put("/sys/fs/cgroup/kubepods/pod/x/cpu.max", "400000 100000\n")
                .put("/sys/fs/cgroup/kubepods/pod/cpu.max", "125000 50000\n")
                .put("/sys/fs/cgroup/kubepods/cpu.max", "600000 100000\n")
                .put("/sys/fs/cgroup/cpu.max", "10000 100000\n");

        assertThat(read(files).quota()).isEqualTo(new CpuQuota(10_000, 100_000, "cpu.max", "/"));
        assertThat(read(files.remove("/sys/fs/cgroup/cpu.max")).quota())
                .isEqualTo(new CpuQuota(125_000, 50_000, "cpu.max", "/kubepods/pod"));
    }

    @Test
    void ancestorsOfAContainersMountKeepTheirNames() {
        FakeFiles files = FakeFiles.inCgroupV1()
                .put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "700000\n")
                .put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");

        assertThat(read(files).quota()).isEqualTo(new CpuQuota(700_000, 100_000, "cpu.cfs_quota_us", "/docker"));
    }

    @Test
    void throttlingOfAllLevelsCounts() {
        CpuLimits limits = read(FakeFiles.inCgroupV2()
                .put(FakeFiles.LEAF + "cpu.stat", "nr_periods 9\nnr_throttled 3\nthrottled_usec 2\n")
                .put("/sys/fs/cgroup/kubepods/cpu.stat", "nr_periods 1\nnr_throttled 1\nthrottled_usec 1\n")
                .put("/sys/fs/cgroup/cpu.stat", "usage_usec 12345\n"));

        assertThat(limits.throttling()).isEqualTo(new Throttling(10, 4, 3000));
    }

    @Test
    void aBadLevelIsReportedAndTheOthersStillCount() {
        CpuLimits limits = read(FakeFiles.inCgroupV2()
                .put(FakeFiles.LEAF + "cpu.max", "nonsense\n")
                .put("/sys/fs/cgroup/kubepods/cpu.max", "200000 100000\n")
                .refuse("/sys/fs/cgroup/cpu.max", "(Permission denied)"));

        assertThat(limits.quota()).isEqualTo(new CpuQuota(200_000, 100_000, "cpu.max", "/kubepods"));
        assertThat(limits.problem())
                .isEqualTo(
                        "/sys/fs/cgroup/kubepods/x/cpu.max is malformed: it is not \"quota period\": \"nonsense\\n\"; "
                                + "/sys/fs/cgroup/cpu.max cannot be read: (Permission denied)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/proc/self/cgroup|0|/proc/self/cgroup is malformed: a line is not id:controllers:path: \"0\"",
                "/proc/self/mountinfo|22|/proc/self/mountinfo is malformed: a line has too few fields: \"22\"",
                "/proc/self/mountinfo|''|/proc/self/mountinfo is malformed: a line has too few fields: \"\"",
                "/sys/fs/cgroup/kubepods/x/cpu.max|1|"
                        + "/sys/fs/cgroup/kubepods/x/cpu.max is malformed: it is not \"quota period\": \"1\\n\"",
                "/sys/fs/cgroup/kubepods/x/cpu.stat|nr_periods x|"
                        + "/sys/fs/cgroup/kubepods/x/cpu.stat is malformed: a counter is not a number: \"nr_periods x\"",
            })
    void malformedFilesAreASentenceAndNoQuota(String path, String text, String problem) {
        CpuLimits limits = read(FakeFiles.inCgroupV2().put(path, text + "\n"));

        assertThat(limits.cpus()).isEqualTo(8);
        assertThat(limits.quota()).isNull();
        assertThat(limits.problem()).isEqualTo(problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/proc/self/cgroup",
                "/proc/self/mountinfo",
                "/sys/fs/cgroup/kubepods/x/cpu.max",
                "/sys/fs/cgroup/kubepods/x/cpu.stat"
            })
    void unreadableFilesAreASentenceAndNoQuota(String path) {
        CpuLimits limits = read(FakeFiles.inCgroupV2().refuse(path, "(Permission denied)"));

        assertThat(limits.cpus()).isEqualTo(8);
        assertThat(limits.quota()).isNull();
        assertThat(limits.problem()).isEqualTo(path + " cannot be read: (Permission denied)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|100000|cpu.cfs_quota_us is malformed: a quota is not 0",
                "abc|100000|cpu.cfs_quota_us is malformed: it is not a number and a line end: \"abc\\n\"",
                "5000|0|cpu.cfs_period_us is malformed: a period is above 0: \"0\\n\"",
                "5000|-1|cpu.cfs_period_us is malformed: a period is above 0: \"-1\\n\"",
                "5000|x|cpu.cfs_period_us is malformed: it is not a number and a line end: \"x\\n\"",
                "5000||cpu.cfs_period_us is missing, though there is a quota beside it",
            })
    void malformedV1Files(String quota, String period, String problem) {
        String directory = "/sys/fs/cgroup/cpu,cpuacct/id/";
        FakeFiles files = FakeFiles.inCgroupV1().put(directory + "cpu.cfs_quota_us", quota + "\n");
        if (period == null) {
            files.remove(directory + "cpu.cfs_period_us");
        } else {
            files.put(directory + "cpu.cfs_period_us", period + "\n");
        }

        assertThat(read(files).quota()).isNull();
        assertThat(read(files).problem()).isEqualTo(directory + problem);
    }

    @Test
    void aCgroupThatIsNotMountedIsASentence() {
        CpuLimits limits = read(FakeFiles.inCgroupV2().put(CgroupPath.FILE, "0::/../elsewhere\n"));

        assertThat(limits.problem()).isEqualTo("no mount in /proc/self/mountinfo shows the cgroup /../elsewhere");
        assertThat(limits.cgroup()).isNull();
    }

    @Test
    void aSystemWithoutProcHasTheJvmsCountAndNoComplaint() {
        assertThat(read(new FakeFiles())).isEqualTo(new CpuLimits(FALLBACK, null, null, null, Throttling.NONE, null));
    }

    @Test
    void affinityIsCounted() {
        assertThat(read(FakeFiles.withCpus("1,3-4")).cpus()).isEqualTo(3);
        assertThat(read(FakeFiles.withCpus("1,3-4")).affinity()).isEqualTo(CpuSet.of(1, 3, 4));
    }

    static Stream<Arguments> badAffinity() {
        return Stream.of(
                Arguments.of("", "it has no line Cpus_allowed_list"),
                Arguments.of("Name:\tjava\n", "it has no line Cpus_allowed_list"),
                Arguments.of("Name:\tCpus_allowed_list:\t0\n", "it has no line Cpus_allowed_list"),
                Arguments.of("Name:\tjava\nCpus_allowed_list:\t0-1", "it has no line Cpus_allowed_list"),
                Arguments.of("Name:\tjava\nCpus_allowed_list:\t\n", "Cpus_allowed_list is not a list of CPUs: \"\""),
                Arguments.of(
                        "Name:\tjava\nCpus_allowed_list:\t0-x\n", "Cpus_allowed_list is not a list of CPUs: \"0-x\""));
    }

    @ParameterizedTest
    @MethodSource
    void badAffinity(String text, String problem) {
        CpuLimits limits = read(FakeFiles.inCgroupV2().put(CpuLimitsReader.STATUS, text));

        assertThat(limits.cpus()).isEqualTo(FALLBACK);
        assertThat(limits.affinity()).isNull();
        assertThat(limits.problem()).isEqualTo("/proc/self/status is malformed: " + problem);
    }

    @Test
    void anUnreadableAffinityIsASentenceAndTheJvmsCount() {
        CpuLimits limits = read(FakeFiles.inCgroupV2().refuse(CpuLimitsReader.STATUS, "(Permission denied)"));

        assertThat(limits.cpus()).isEqualTo(FALLBACK);
        assertThat(limits.problem()).isEqualTo("/proc/self/status cannot be read: (Permission denied)");
    }

    @Test
    void theMountTableIsReadOnlyWhenTheCgroupChanges() {
        FakeFiles files = FakeFiles.inCgroupV2()
                .put(FakeFiles.LEAF + "cpu.max", "300000 100000\n")
                .put("/sys/fs/cgroup/y/cpu.max", "200000 100000\n");
        CpuLimitsReader reader = new CpuLimitsReader(files, FALLBACK);
        reader.read();
        reader.read();
        assertThat(files.readsOf(MountInfo.FILE)).isEqualTo(1);

        files.put(CgroupPath.FILE, "0::/y\n"); // moved to another cgroup: Go would not notice
        assertThat(reader.read().quota()).isEqualTo(new CpuQuota(200_000, 100_000, "cpu.max", "/y"));
        assertThat(files.readsOf(MountInfo.FILE)).isEqualTo(2);
    }

    @Test
    void aMountThatAppearsLaterIsFound() {
        FakeFiles files = FakeFiles.inCgroupV2().put(MountInfo.FILE, "");
        CpuLimitsReader reader = new CpuLimitsReader(files, FALLBACK);
        assertThat(reader.read().cgroup()).isNull();

        files.put(MountInfo.FILE, FakeFiles.MOUNTS);
        assertThat(reader.read().cgroup()).isEqualTo("/kubepods/x (cgroup v2)");
    }

    @Test
    void needsACount() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CpuLimitsReader(new FakeFiles(), 0))
                .withMessage("fallbackCpus 0 is below 1");
    }
}
