package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Go: TestParseV1Number, TestParseV2Limit (internal/runtime/cgroup).
class CpuQuotaTest {
    private static final long MAX = Long.MAX_VALUE;

    @ParameterizedTest
    @CsvSource({"-1,-1", "500000,500000", "0,0", "9223372036854775807,9223372036854775807"})
    void v1Numbers(String text, long expected) throws Exception {
        assertThat(CpuQuota.parseV1("/f", text + "\n")).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "500000",
                "123max\n",
                "max\n",
                "1000 5000\n",
                "-\n",
                "--1\n",
                "+1\n",
                " 1\n",
                "1 \n",
                "0x10\n",
                "9223372036854775808\n",
                "1.5\n"
            })
    void malformedV1Numbers(String text) {
        assertThatExceptionOfType(MalformedFileException.class)
                .isThrownBy(() -> CpuQuota.parseV1("/f", text))
                .withMessage(
                        "/f is malformed: it is not a number and a line end: \"" + text.replace("\n", "\\n") + "\"");
    }

    @ParameterizedTest
    @CsvSource({
        "500000 100000,5,5",
        "50000 100000,0.5,1",
        "250000 100000,2.5,3",
        "200001 100000,2.00001,3",
        "9223372036854775807 9223372036854775807,1,1",
        "9223372036854775807 1,9223372036854775807,2147483647",
        "1000 1000000,0.001,1"
    })
    void v2Limits(String text, double cpus, int roundedUp) throws Exception {
        CpuQuota quota = CpuQuota.parseV2("/f", "/g", text + "\n");

        assertThat(quota).isNotNull();
        assertThat(quota.cpus()).isEqualTo(cpus);
        assertThat(quota.roundedUp()).isEqualTo(roundedUp);
        assertThat(quota).hasToString("cpu.max " + text.replace(' ', '/') + " in /g");
    }

    @Test
    void v2WithoutLimit() throws Exception {
        assertThat(CpuQuota.parseV2("/f", "/g", "max 100000\n")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "max\n",
                "500000\n",
                "500000 100000",
                "500000us 100000\n",
                "500000 100000us\n",
                "500000 \n",
                " 100000\n",
                "500000  100000\n",
                "0 100000\n",
                "500000 0\n",
                "-1 100000\n",
                "maximal 100000\n",
                "500000 100000 5\n",
                "9223372036854775808 1\n",
                "5\u0661 10\n"
            })
    void malformedV2Limits(String text) {
        assertThatExceptionOfType(MalformedFileException.class)
                .isThrownBy(() -> CpuQuota.parseV2("/f", "/g", text))
                .withMessage("/f is malformed: it is not \"quota period\": \"" + text.replace("\n", "\\n") + "\"");
    }

    @ParameterizedTest
    @CsvSource({"200000,2,false", "200000,3,true", "250000,2,false", "250000,3,true", "50000,1,true", "100000,1,false"})
    void knowsWhetherProcsCanExhaustIt(long quota, int procs, boolean expected) {
        assertThat(new CpuQuota(quota, 100_000, "cpu.max", "/").isBelow(procs)).isEqualTo(expected);
    }

    @Test
    void roundingNeverOverflows() {
        assertThat(new CpuQuota(MAX, MAX - 1, "cpu.max", "/").roundedUp()).isEqualTo(2);
        assertThat(new CpuQuota(1, MAX, "cpu.max", "/").roundedUp()).isEqualTo(1);
    }

    @Test
    void isAboveZero() {
        assertThatIllegalArgumentException().isThrownBy(() -> new CpuQuota(0, 1, "cpu.max", "/"));
        assertThatIllegalArgumentException().isThrownBy(() -> new CpuQuota(1, 0, "cpu.max", "/"));
    }
}
