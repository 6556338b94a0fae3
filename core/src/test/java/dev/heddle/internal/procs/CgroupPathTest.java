package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Go: TestParseCPUCgroup, TestParseCPUCgroupMalformed, TestContainsCPU (internal/runtime/cgroup).
class CgroupPathTest {

    static Stream<Arguments> cgroupFiles() {
        return Stream.of(
                Arguments.of("v2", "0::/kubepods/x\n", new CgroupPath(2, "/kubepods/x")),
                Arguments.of("v2 root", "0::/\n", new CgroupPath(2, "/")),
                Arguments.of("v2 without a line end", "0::/a", new CgroupPath(2, "/a")),
                Arguments.of("v2 outside the namespace", "0::/../../a\n", new CgroupPath(2, "/../../a")),
                Arguments.of("v1", "3:cpu,cpuacct:/docker/id\n2:memory:/m\n", new CgroupPath(1, "/docker/id")),
                Arguments.of("v1 after others", "9:memory:/m\n3:cpuacct,cpu:/c\n", new CgroupPath(1, "/c")),
                Arguments.of("v1 wins after v2", "0::/two\n3:cpu:/one\n", new CgroupPath(1, "/one")),
                Arguments.of("v1 wins before v2", "3:cpu:/one\n0::/two\n", new CgroupPath(1, "/one")),
                Arguments.of("v1 without cpu, and v2", "3:cpuset,cpuacct:/one\n0::/two\n", new CgroupPath(2, "/two")),
                Arguments.of("a path with colons", "0::/a:b::c\n", new CgroupPath(2, "/a:b::c")),
                Arguments.of("a named hierarchy", "1:name=cpu:/n\n0::/two\n", new CgroupPath(2, "/two")),
                Arguments.of("hierarchy 10 is not 0", "10::/ten\n", null),
                Arguments.of("no cpu controller", "2:memory:/m\n", null),
                Arguments.of("empty", "", null));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void cgroupFiles(String name, String text, CgroupPath expected) throws Exception {
        assertThat(CgroupPath.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|a line is not id:controllers:path: \"\"",
                "0|a line is not id:controllers:path: \"0\"",
                "0:|a line is not id:controllers:path: \"0:\"",
                "0::|a path does not start with /: \"0::\"",
                "0::a|a path does not start with /: \"0::a\"",
                "3:cpu:|a path does not start with /: \"3:cpu:\"",
            })
    void malformedLines(String line, String why) {
        assertThatExceptionOfType(MalformedFileException.class)
                .isThrownBy(() -> CgroupPath.parse(line + "\n0::/good\n"))
                .withMessage("/proc/self/cgroup is malformed: " + why);
    }

    @Test
    void aColonOfTheNextLineDoesNotCompleteThisOne() {
        assertThatExceptionOfType(MalformedFileException.class).isThrownBy(() -> CgroupPath.parse("0:\n0::/a\n"));
    }

    @Test
    void aPathThatCannotBeOpenedIsRefusedAndNotPrintedWhole() {
        assertThat(assertMalformed("0::/" + "a".repeat(4096) + "\n"))
                .startsWith("/proc/self/cgroup is malformed: a path is longer than 4096: \"/aaa")
                .hasSizeLessThan(140);
    }

    private static String assertMalformed(String text) {
        return assertThatExceptionOfType(MalformedFileException.class)
                .isThrownBy(() -> CgroupPath.parse(text))
                .actual()
                .getMessage();
    }

    @ParameterizedTest
    @CsvSource({
        "'',false",
        "',',false",
        "cpu,true",
        "'memory,cpu',true",
        "'cpu,memory',true",
        "'memory,cpu,block',true",
        "'memory,cpuacct,block',false",
        "cp,false",
        "cpus,false",
        "'cpuset,cpuacct',false"
    })
    void controllerLists(String list, boolean expected) {
        assertThat(CgroupPath.containsCpu(list, 0, list.length())).isEqualTo(expected);
        String within = "cpu," + list + ",cpu"; // what lies outside the bounds does not count
        assertThat(CgroupPath.containsCpu(within, 4, 4 + list.length())).isEqualTo(expected);
    }
}
