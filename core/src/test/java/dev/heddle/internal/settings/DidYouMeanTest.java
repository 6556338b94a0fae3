package dev.heddle.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DidYouMeanTest {

    private static final List<String> WORDS = List.of("top", "dump", "doctor", "--scheduler", "heddle.procs");

    @ParameterizedTest
    @CsvSource({
        "tpo, top",
        "to, top",
        "topp, top",
        "DUMP, dump",
        "dunp, dump",
        "docter, doctor",
        "--shceduler, --scheduler",
        "heddle.proc, heddle.procs",
        "hedle.prcs, heddle.procs"
    })
    void aTypingErrorIsRecognised(String wrong, String meant) {
        assertThat(DidYouMean.nearest(wrong, WORDS)).isEqualTo(meant);
        assertThat(DidYouMean.hint(wrong, WORDS)).isEqualTo(" (did you mean '" + meant + "'?)");
    }

    @Test
    void anotherWordIsNot() {
        assertThat(DidYouMean.nearest("frobnicate", WORDS)).isNull();
        assertThat(DidYouMean.nearest("pool", WORDS)).isNull();
        assertThat(DidYouMean.hint("", WORDS)).isEmpty();
    }

    @Test
    void ofTwoTheNearerOneIsMeant() {
        assertThat(DidYouMean.nearest("schedtrcae", List.of("schedtrade2", "schedtrace")))
                .isEqualTo("schedtrace");
        assertThat(DidYouMean.errors("schedtrcae", "schedtrade2")).isEqualTo(3);
    }
}
