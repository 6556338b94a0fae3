package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcsSettingsTest {

    private static ProcsSettings parse(String gomaxprocs, String procs, String pin) {
        return ProcsSettings.parse(gomaxprocs, procs, pin, null, null);
    }

    @Test
    void nothingSetMeansDecide() {
        assertThat(parse(null, null, null)).isEqualTo(ProcsSettings.NONE);
        assertThat(ProcsSettings.parse("", "", "", "", "")).isEqualTo(ProcsSettings.NONE);
        assertThat(ProcsSettings.NONE.isExplicit()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "4,-,4,GOMAXPROCS=4",
                "-,4,4,-Dheddle.procs=4",
                "3,5,5,-Dheddle.procs=5",
                "65535,-,65535,GOMAXPROCS=65535"
            })
    void aNumberIsTakenAndThePropertyWins(String gomaxprocs, String property, int procs, String origin) {
        ProcsSettings settings = parse(gomaxprocs, property, null);

        assertThat(settings.procs()).isEqualTo(procs);
        assertThat(settings.origin()).isEqualTo(origin);
        assertThat(settings.isExplicit()).isTrue();
        assertThat(settings.complaint()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "0", "-1", "2.5", "2000m", "65536", "99999999999999999999", "0x4", "four"})
    void aBadEnvironmentIsIgnoredWithOneLine(String value) {
        ProcsSettings settings = parse(value, null, null);

        assertThat(settings.isExplicit()).isFalse();
        assertThat(settings.complaint())
                .isEqualTo("GOMAXPROCS=" + value + " is ignored: it is not a number from 1 to 65535");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "0", "-1", "2.5", "65536"})
    void aBadPropertyIsRefused(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("4", value, null))
                .withMessage("-Dheddle.procs=" + value + " is refused: it is not a number from 1 to 65535");
    }

    @Test
    void pinIsAListOrAuto() {
        assertThat(parse(null, null, "0-3").pin()).isEqualTo(CpuSet.parse("0-3"));
        assertThat(parse(null, null, "0-3").pinAuto()).isFalse();
        assertThat(parse(null, null, "auto").pin()).isNull();
        assertThat(parse(null, null, "auto").pinAuto()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(null, null, "3-"))
                .withMessage("-Dheddle.pin is refused: \"3-\" is not a list of CPUs such as 0-3,7: "
                        + "\"3-\" is neither a number nor a range (or auto)");
    }

    @Test
    void switchesAreZeroOrOne() {
        ProcsSettings off = ProcsSettings.parse(null, null, null, "0", "0");
        assertThat(off.followsQuota()).isFalse();
        assertThat(off.updates()).isFalse();
        assertThat(ProcsSettings.parse(null, null, null, "1", "1")).isEqualTo(ProcsSettings.NONE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProcsSettings.parse(null, null, null, "no", null))
                .withMessage("-Dheddle.containermaxprocs=no is refused: it is neither 0 nor 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProcsSettings.parse(null, null, null, null, "true"))
                .withMessage("-Dheddle.updatemaxprocs=true is refused: it is neither 0 nor 1");
    }

    @Test
    void explicitAndDefaultReplaceEachOther() {
        ProcsSettings settings = ProcsSettings.parse("auto", null, "0-1", "0", "0");

        ProcsSettings explicit = settings.withProcs(3, "Go.gomaxprocs(3)");
        assertThat(explicit.procs()).isEqualTo(3);
        assertThat(explicit.complaint()).isNull();
        assertThat(explicit.withDefaultProcs())
                .isEqualTo(new ProcsSettings(0, "", CpuSet.parse("0-1"), false, false, false, null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withProcs(0, "me"))
                .withMessage("procs 0 is below 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withProcs(65_536, "me"))
                .withMessage("procs 65536 is not between 0 and 65535");
    }
}
