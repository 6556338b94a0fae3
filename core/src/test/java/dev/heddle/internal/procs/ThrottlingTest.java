package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThrottlingTest {

    @Test
    void readsCgroupV2() throws Exception {
        String text = """
                usage_usec 9000
                user_usec 5000
                system_usec 4000
                nr_periods 70
                nr_throttled 12
                throttled_usec 345
                nr_bursts 0
                """;
        assertThat(Throttling.parse("/f", text)).isEqualTo(new Throttling(70, 12, 345_000));
    }

    @Test
    void readsCgroupV1() throws Exception {
        assertThat(Throttling.parse("/f", "nr_periods 70\nnr_throttled 12\nthrottled_time 345678\nburst_time 0\n"))
                .isEqualTo(new Throttling(70, 12, 345_678));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "usage_usec 9000\nuser_usec 5000\nsystem_usec 4000\n", "xnr_throttled 7\n"})
    void aGroupWithoutTheCpuControllerWasNeverThrottled(String text) throws Exception {
        assertThat(Throttling.parse("/f", text)).isEqualTo(Throttling.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nr_periods x", "nr_throttled ", "throttled_usec -1", "throttled_time 1.5"})
    void refusesCountersThatAreNoNumbers(String line) {
        assertThatExceptionOfType(MalformedFileException.class)
                .isThrownBy(() -> Throttling.parse("/f", "nr_bursts 0\n" + line + "\n"))
                .withMessage("/f is malformed: a counter is not a number: \"" + line + "\"");
    }

    @Test
    void hugeTimesDoNotWrapAround() throws Exception {
        assertThat(Throttling.parse("/f", "throttled_usec 9223372036854775807\n")
                        .throttledNanos())
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void differencesAreNeverNegative() {
        Throttling before = new Throttling(100, 10, 1000);

        assertThat(new Throttling(110, 12, 1500).since(before)).isEqualTo(new Throttling(10, 2, 500));
        assertThat(new Throttling(5, 11, 0).since(before)).isEqualTo(new Throttling(0, 1, 0));
        assertThat(new Throttling(101, 9, 1001).since(before)).isEqualTo(new Throttling(1, 0, 1));
    }
}
