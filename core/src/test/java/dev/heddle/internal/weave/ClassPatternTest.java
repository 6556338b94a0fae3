package dev.heddle.internal.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

public final class ClassPatternTest {

    @ParameterizedTest
    @CsvSource({
        "com.acme.*, com.acme.Parser",
        "com.acme.*, com.acme.json.Parser",
        "com.acme.*, com.acme.Parser$Token",
        "com.acme.Parser, com.acme.Parser",
        "com.acme.Parser, com.acme.Parser$Token",
        "*.Parser, com.acme.Parser",
        "com.*.Parser, com.acme.json.Parser",
        "*Pars*, com.acme.Parser",
        "org.x.*:com.acme.Parser, com.acme.Parser",
        "*, Main"
    })
    void matches(String pattern, String name) {
        assertThat(ClassPattern.parse(pattern).matches(name)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "com.acme.*, com.acmeother.Parser",
        "com.acme.*, org.com.acme.Parser",
        "com.acme.Parser, com.acme.ParserTest",
        "com.acme, com.acme.Parser",
        "*.Parser, com.acme.ParserTest",
        "org.x.*:com.acme.Parser, com.acme.Lexer"
    })
    void doesNotMatch(String pattern, String name) {
        assertThat(ClassPattern.parse(pattern).matches(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "com.acme.*:", "com/acme/*", "com.acme.* ", "com.acme.?"})
    void whatIsNoNameIsRefusedInASentence(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClassPattern.parse(pattern))
                .withMessage("preempt=" + pattern + " is refused: it must name classes, as in"
                        + " preempt=com.acme.*:org.example.Parser.");
    }
}
