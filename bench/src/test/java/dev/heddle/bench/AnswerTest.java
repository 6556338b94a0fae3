package dev.heddle.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AnswerTest {

    @Test
    void figuresAreReadByName() {
        assertThat(Answer.parse("ok cpu=2.5 p99=never wall=12"))
                .isEqualTo(new Answer.Figures(Map.of("cpu", 2.5, "p99", Double.POSITIVE_INFINITY, "wall", 12.0)));
    }

    @Test
    void failureKeepsItsReason() {
        assertThat(Answer.parse("failed the result is 3, not 4"))
                .isEqualTo(new Answer.Failed("the result is 3, not 4"));
    }

    @Test
    void aPeerWithoutTheProgramSaysSo() {
        assertThat(Answer.parse("unsupported")).isEqualTo(new Answer.Unsupported());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Exception in thread main", "ok wall=fast", "ok 12"})
    void everythingElseIsAFailureThatIsQuoted(String line) {
        assertThat(Answer.parse(line)).isEqualTo(new Answer.Failed("it said '" + line + "', which is no answer"));
    }
}
