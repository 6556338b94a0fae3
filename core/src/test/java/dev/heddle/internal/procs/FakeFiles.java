package dev.heddle.internal.procs;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Files that exist only here, with a count of reads; made like a machine with 8 CPUs in the v2 cgroup `/kubepods/x`.
final class FakeFiles implements SystemFiles {
    static final String MOUNTS = """
            22 1 8:1 / / rw,relatime - ext4 /dev/root rw
            21 22 0:20 / /sys rw,nosuid,nodev,noexec - sysfs sysfs rw
            25 21 0:22 / /sys/fs/cgroup rw,nosuid,nodev,noexec - cgroup2 cgroup2 rw
            """;
    static final String LEAF = "/sys/fs/cgroup/kubepods/x/";

    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, String> unreadable = new HashMap<>();
    private final Map<String, Integer> reads = new HashMap<>();
    private int allReads;

    static FakeFiles withCpus(String list) {
        return new FakeFiles().put(CpuLimitsReader.STATUS, "Name:\tjava\nCpus_allowed_list:\t" + list + "\nMems:\t0\n");
    }

    /// Eight CPUs, and a v2 cgroup that has the cpu controller but no quota.
    static FakeFiles inCgroupV2() {
        return withCpus("0-7")
                .put(CgroupPath.FILE, "0::/kubepods/x\n")
                .put(MountInfo.FILE, MOUNTS)
                .put(LEAF + "cpu.max", "max 100000\n")
                .put("/sys/fs/cgroup/kubepods/cpu.max", "max 100000\n");
    }

    /// Eight CPUs, and a v1 cgroup of which only the part below `/docker` is mounted.
    static FakeFiles inCgroupV1() {
        return withCpus("0-7")
                .put(CgroupPath.FILE, "4:memory:/docker/id\n3:cpu,cpuacct:/docker/id\n0::/\n")
                .put(
                        MountInfo.FILE,
                        "30 22 0:30 /docker /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n")
                .put("/sys/fs/cgroup/cpu,cpuacct/id/cpu.cfs_quota_us", "-1\n")
                .put("/sys/fs/cgroup/cpu,cpuacct/id/cpu.cfs_period_us", "100000\n");
    }

    FakeFiles put(String path, String text) {
        texts.put(path, text);
        unreadable.remove(path);
        return this;
    }

    FakeFiles remove(String path) {
        texts.remove(path);
        return this;
    }

    FakeFiles refuse(String path, String why) {
        unreadable.put(path, path + " cannot be read: " + why);
        return this;
    }

    int readsOf(String path) {
        return reads.getOrDefault(path, 0);
    }

    int allReads() {
        return allReads;
    }

    @Override
    public @Nullable String read(String path) throws IOException {
        reads.merge(path, 1, Integer::sum);
        allReads++;
        if (unreadable.containsKey(path)) {
            throw new IOException(unreadable.get(path));
        }
        return texts.get(path);
    }
}
