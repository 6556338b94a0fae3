package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A cgroup made for a test below that of this process, where the machine lets us; otherwise the test is skipped with
/// the reason.
final class TestCgroup implements AutoCloseable {
    private final int version;
    private final String group;
    private final Path directory;

    private TestCgroup(int version, String group, Path directory) {
        this.version = version;
        this.group = group;
        this.directory = directory;
    }

    static TestCgroup create() throws IOException {
        SystemFiles files = SystemFiles.real();
        assumeTrue(
                new CpuLimitsReader(files, 1).read().quota() == null,
                "this process has a CPU quota already, which would show in the results");
        String text = files.read(CgroupPath.FILE);
        String mounts = files.read(MountInfo.FILE);
        CgroupPath path = text == null ? null : CgroupPath.parse(text);
        MountInfo.Location location = path == null || mounts == null ? null : MountInfo.locate(mounts, path);
        if (location == null) {
            return abort("no CPU cgroup is mounted here");
        }
        String parent = path.path().equals("/") ? "" : path.path();
        TestCgroup root = new TestCgroup(path.version(), parent, Path.of(location.mountPoint() + location.relative()));
        return root.child("heddle-test-" + ProcessHandle.current().pid());
    }

    TestCgroup child(String name) throws IOException {
        Path made = directory.resolve(name);
        try {
            Files.createDirectory(made);
        } catch (IOException e) {
            return abort("this machine lets us make no cgroup: " + e);
        }
        TestCgroup cgroup = new TestCgroup(version, group + "/" + name, made);
        if (!Files.isWritable(cgroup.quotaFile())) {
            cgroup.close();
            return abort("the cpu controller is not enabled below " + directory);
        }
        return cgroup;
    }

    /// Its path, as `/proc/self/cgroup` names it.
    String group() {
        return group;
    }

    /// `cpu.max` or `cpu.cfs_quota_us`.
    Path quotaFile() {
        return directory.resolve(version == 1 ? "cpu.cfs_quota_us" : "cpu.max");
    }

    /// Sets the quota per 100 ms, 0 for none.
    void setQuota(long micros) throws IOException {
        if (version == 1) {
            Files.writeString(quotaFile(), micros == 0 ? "-1" : String.valueOf(micros));
        } else {
            Files.writeString(quotaFile(), micros == 0 ? "max 100000" : micros + " 100000");
        }
    }

    void add(long pid) throws IOException {
        Files.writeString(directory.resolve("cgroup.procs"), String.valueOf(pid));
        assertThat(Files.readString(Path.of("/proc/" + pid + "/cgroup"))).contains(group);
    }

    /// Waits: a process that has just ended can still be on its way out of the group.
    @Override
    public void close() {
        await("removal of " + directory)
                .ignoreException(IOException.class)
                .until(() -> Files.deleteIfExists(directory));
    }
}
