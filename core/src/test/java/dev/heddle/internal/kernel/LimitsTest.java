package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// What the system takes away and gives back: threads and CPU quota, in real cgroups below the root, where this machine
/// lets us make them.
@EnabledOnOs(OS.LINUX)
class LimitsTest {

    /// A cgroup of one controller, v1 or v2.
    private record Cgroup(Path folder) implements AutoCloseable {

        /// @param file one that the controller has, without the prefix `cpu.` or the like
        static Cgroup make(String controller, String... files) throws IOException {
            for (String root : List.of("/sys/fs/cgroup/" + controller, "/sys/fs/cgroup")) {
                Path parent = Path.of(root);
                if (!Files.isWritable(parent.resolve("cgroup.procs"))) {
                    continue;
                }
                Cgroup cgroup = new Cgroup(parent.resolve(
                        "heddle-" + controller + "-" + ProcessHandle.current().pid()));
                try {
                    Files.createDirectory(cgroup.folder);
                } catch (IOException _) {
                    continue;
                }
                for (String file : files) {
                    if (Files.isWritable(cgroup.folder.resolve(file))) {
                        return cgroup;
                    }
                }
                cgroup.close();
            }
            return abort("this machine lets us make no cgroup with the " + controller + " controller");
        }

        void add(long pid) throws IOException {
            write("cgroup.procs", Long.toString(pid));
        }

        void write(String file, String value) throws IOException {
            Files.writeString(folder.resolve(file), value);
        }

        long read(String file) throws IOException {
            return Long.parseLong(Files.readString(folder.resolve(file)).strip());
        }

        /// Per 100 ms, 0 for none.
        void setQuota(int micros) throws IOException {
            if (Files.exists(folder.resolve("cpu.max"))) {
                write("cpu.max", (micros == 0 ? "max" : Integer.toString(micros)) + " 100000");
            } else {
                write("cpu.cfs_quota_us", Integer.toString(micros == 0 ? -1 : micros));
            }
        }

        @Override
        public void close() {
            await("removal of " + folder).ignoreException(IOException.class).until(() -> Files.deleteIfExists(folder));
        }
    }

    /// The JDK's scheduler stalls here: it does not try again before another thread is started.
    @Test
    void threadsThatWereRefusedAreMadeLater() throws Exception {
        try (Cgroup cgroup = Cgroup.make("pids", "pids.max");
                LiveJvm jvm = ChildJvm.of(LimitsPrograms.class, "threads")
                        .option("-XX:+UseSerialGC", "-Xint", "-Xlog:disable")
                        .start()) {
            assertThat(jvm.readLine()).isEqualTo("ready");
            cgroup.add(jvm.pid());
            cgroup.write("pids.max", Long.toString(cgroup.read("pids.current")));
            jvm.send("go");
            assertThat(jvm.readLine()).startsWith("refused, ");
            await("the warning").until(() -> jvm.err().contains("heddle: the system refuses another thread"));
            cgroup.write("pids.max", "max");
            assertThat(jvm.readLine()).isEqualTo("all ran");
            assertThat(jvm.err().lines().filter(it -> it.startsWith("heddle:"))).hasSize(1);
        }
    }

    /// Quotas count from 2 up, and at most once a second: see ProcsWatcher.
    @Test
    void theNumberOfProcessorsFollowsTheQuota() throws Exception {
        try (Cgroup cgroup = Cgroup.make("cpu", "cpu.max", "cpu.cfs_quota_us");
                LiveJvm jvm = ChildJvm.of(LimitsPrograms.class, "quota")
                        .option("-XX:+UseSerialGC")
                        .start()) {
            assertThat(jvm.readLine()).isEqualTo("8");
            cgroup.setQuota(300_000);
            cgroup.add(jvm.pid());
            assertThat(jvm.readLine()).isEqualTo("3");
            cgroup.setQuota(150_000);
            assertThat(jvm.readLine()).isEqualTo("2");
            cgroup.setQuota(400_001);
            assertThat(jvm.readLine()).isEqualTo("5");
            cgroup.setQuota(0);
            assertThat(jvm.readLine()).isEqualTo("8");
        }
    }
}
