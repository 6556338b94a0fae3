package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Go: TestParseCPUMount, TestParseCPUMountMalformed, TestEscapePath (internal/runtime/cgroup).
class MountInfoTest {
    private static final String HOST = """
            22 1 8:1 / / rw,relatime - ext4 /dev/root rw
            21 22 0:20 / /sys rw,nosuid,nodev,noexec - sysfs sysfs rw
            """;
    private static final String V1 = """
            49 22 0:37 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
            56 22 0:40 / /sys/fs/cgroup/cpu rw shared:7 master:1 - cgroup cgroup rw,cpu,cpuacct
            59 22 0:43 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset
            """;
    private static final String V2 = "25 21 0:22 / /sys/fs/cgroup/unified rw,nosuid - cgroup2 cgroup2 rw\n";

    static Stream<Arguments> mounts() {
        String overlay = "262 31 0:72 / /merged rw shared:729 - overlay overlay rw,lowerdir=" + "/l:".repeat(100_000);
        return Stream.of(
                Arguments.of("v1", HOST + V1, 1, "/", "/sys/fs/cgroup/cpu"),
                Arguments.of("v1, a group", HOST + V1, 1, "/a/b", "/sys/fs/cgroup/cpu/a/b"),
                Arguments.of("v2", HOST + V2, 2, "/", "/sys/fs/cgroup/unified"),
                Arguments.of("v2, a group", HOST + V2, 2, "/a/b", "/sys/fs/cgroup/unified/a/b"),
                Arguments.of("both, v1 wanted", HOST + V2 + V1, 1, "/", "/sys/fs/cgroup/cpu"),
                Arguments.of("both, v2 wanted", HOST + V1 + V2, 2, "/", "/sys/fs/cgroup/unified"),
                Arguments.of("v1 wanted, v2 mounted", HOST + V2, 1, "/", null),
                Arguments.of("v2 wanted, v1 mounted", HOST + V1, 2, "/", null),
                Arguments.of("empty", "", 2, "/", null),
                Arguments.of("a very long line", overlay + "\n" + V2, 2, "/", "/sys/fs/cgroup/unified"),
                Arguments.of("no last line end", HOST + V2.stripTrailing(), 2, "/", "/sys/fs/cgroup/unified"),
                Arguments.of("escaped mount point", v2("/", "/a\\011b\\040c"), 2, "/g", "/a\tb c/g"),
                Arguments.of("escaped root", v2("/a\\134b", "/cg"), 2, "/a\\b/g", "/cg/g"),
                Arguments.of("non-ASCII", v2("/größe", "/cg"), 2, "/größe/g", "/cg/g"),
                Arguments.of("a container's root", v2("/box", "/cg"), 2, "/box/c", "/cg/c"),
                Arguments.of("the container itself", v2("/box/c", "/cg"), 2, "/box/c", "/cg"),
                Arguments.of("a sibling", v2("/stone", "/cg"), 2, "/box/c", null),
                Arguments.of("a child", v2("/box/c/d", "/cg"), 2, "/box/c", null),
                Arguments.of("half a name is no prefix", v2("/bo", "/cg"), 2, "/box/c", null),
                Arguments.of(
                        "the first match wins",
                        v2("/bo", "/1") + v2("/box", "/2") + v2("/", "/3"),
                        2,
                        "/box/c",
                        "/2/c"),
                Arguments.of(
                        "outside the namespace", v2("/../..", "/1") + v2("/../../..", "/2"), 2, "/../../../i", "/2/i"),
                Arguments.of("the root outside", v2("/../..", "/1") + v2("/../../..", "/2"), 2, "/../../..", "/2"),
                Arguments.of("not shown at all", v2("/", "/cg"), 2, "/../i", null),
                Arguments.of("a name that starts with dots", v2("/", "/cg"), 2, "/..i", "/cg/..i"));
    }

    private static String v2(String root, String mountPoint) {
        return "25 21 0:22 " + root + " " + mountPoint + " rw - cgroup2 cgroup2 rw\n";
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void mounts(String name, String text, int version, String group, String expected) throws Exception {
        MountInfo.Location location = MountInfo.locate(text, new CgroupPath(version, group));

        assertThat(location == null ? null : location.mountPoint() + location.relative())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "22",
                "22 1 8:1",
                "22 1 8:1 /",
                "22 1 8:1 / /cgroup",
                "22 1 8:1 / /cgroup rw",
                "22 1 8:1 / /cgroup rw -",
                "22 1 8:1 / /cgroup rw - ",
                "22 1 8:1 / /cgroup rw - cgroup",
                "22 1 8:1 / /cgroup rw - cgroup cgroup",
                "22 1 8:1 a /cgroup rw - cgroup cgroup cpu",
                "22 1 8:1 /\\1 /cgroup rw - cgroup cgroup rw,cpu",
                "22 1 8:1 / /cgroup/\\1 rw - cgroup cgroup rw,cpu",
            })
    void malformedLines(String line) {
        assertThatExceptionOfType(MalformedFileException.class)
                .isThrownBy(() -> MountInfo.locate(line + "\n" + V1, new CgroupPath(1, "/")))
                .withMessageStartingWith("/proc/self/mountinfo is malformed: ");
    }

    @Test
    void aPathThatCannotBeOpenedIsRefused() {
        assertThatExceptionOfType(MalformedFileException.class)
                .isThrownBy(() ->
                        MountInfo.locate(v2("/", "/" + "m".repeat(4000)), new CgroupPath(2, "/" + "g".repeat(99))))
                .withMessageContaining("the path of the cgroup is longer than 4096");
    }

    @ParameterizedTest
    @CsvSource({
        "/a/b/c,/a/b/c",
        "/a\\040b,'/a b'",
        "/a\\011b,'/a\tb'",
        "/a\\012b,'/a\nb'",
        "/a\\134b,/a\\b",
        "\\134b,\\b",
        "/a/\\134,/a/\\",
        "/ÿ\\040/c,'/ÿ /c'",
        "\\134040,\\040",
        "\\043,#"
    })
    void undoesTheKernelsEscapes(String escaped, String expected) throws Exception {
        assertThat(MountInfo.unescape(escaped)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\", "/a\\", "/a\\0", "/a\\04", "\\x40", "\\048", "\\-12", "\\377", "\\777", "\\04/"})
    void refusesBrokenEscapes(String escaped) {
        assertThatExceptionOfType(MalformedFileException.class).isThrownBy(() -> MountInfo.unescape(escaped));
    }
}
