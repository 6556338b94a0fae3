package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DebugSettingsTest {

    @Test
    void onlyWhatIsNamedChanges() {
        DebugSettings settings = DebugSettings.OFF.with("schedtrace=1000, scheddetail=2,,sigquit");

        assertThat(settings).isEqualTo(new DebugSettings(1000, true, false, false, true, 0));
        assertThat(settings.with("scheddetail=0,steals=1,createdby=1,metrics=9464"))
                .isEqualTo(new DebugSettings(1000, false, true, true, true, 9464));
    }

    @Test
    void theTextIsInTheSameSyntax() {
        DebugSettings settings = new DebugSettings(7, true, true, true, false, 80);

        assertThat(DebugSettings.OFF.with(settings.toString())).isEqualTo(settings);
        assertThat(DebugSettings.KEYS).allMatch(it -> settings.toString().contains(it + "="));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sched=1      | there is no setting 'sched'; there are schedtrace, scheddetail, steals, createdby, sigquit, metrics.",
                "schedtrace=x | schedtrace=x is refused: it must be a number from 0 to 1000000000.",
                "steals=-1    | steals=-1 is refused: it must be a number from 0 to 2147483647.",
                "metrics      | metrics needs a number from 0 to 65535: metrics=N.",
                "schedtrace   | schedtrace needs a number from 0 to 1000000000: schedtrace=N.",
                "steals=      | steals= is refused: it must be a number from 0 to 2147483647.",
                "metrics=70000| metrics=70000 is refused: it must be a number from 0 to 65535.",
            })
    void whatIsWrongIsSaidInASentence(String text, String sentence) {
        assertThatThrownBy(() -> DebugSettings.OFF.with(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }
}
