package dev.heddle.cli.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// The arguments of a request.
final class QueryTest {

    @Test
    void argumentsAreDecoded() {
        Query query = new Query("search=chan+receive%3A%20x&after=12");

        assertThat(query.text("search")).isEqualTo("chan receive: x");
        assertThat(query.number("after", 0, 20)).isEqualTo(12);
        assertThat(query.text("scheduler")).isEmpty();
        assertThat(new Query(null).text("after")).isEmpty();
    }

    @Test
    void malformedOnesGetOneSentence() {
        assertThatThrownBy(() -> new Query("search")).hasMessage("The argument 'search' has no value.");
        assertThatThrownBy(() -> new Query("search=%zz")).hasMessage("The argument 'search=%zz' is malformed.");
        assertThatThrownBy(() -> new Query("after=x").number("after", 0, 20))
                .hasMessage("after must be a number from 0 to 20, not 'x'.");
        assertThatThrownBy(() -> new Query("after=21").number("after", 0, 20))
                .hasMessage("after must be a number from 0 to 20, not '21'.");
    }
}
