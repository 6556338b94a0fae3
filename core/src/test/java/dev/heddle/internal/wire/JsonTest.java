package dev.heddle.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

public final class JsonTest {

    public record Inner(int[] numbers, @Nullable String text) {}

    public record Outer(String name, List<Inner> inner, boolean flag, double share) {}

    public record Empty() {}

    @Test
    void recordsListsArraysAndValues() {
        Outer outer = new Outer("a\"b\\c\n\t\u0001é", List.of(new Inner(new int[] {1, 2}, null)), true, 0.5);

        assertThat(Json.of(outer))
                .isEqualTo("{\"name\":\"a\\\"b\\\\c\\n\\t\\u0001é\",\"inner\":[{\"numbers\":[1,2],\"text\":null}],"
                        + "\"flag\":true,\"share\":0.5}");
    }

    @Test
    void indentedFormEscapesWhatItMust() {
        assertThat(Json.indented(Map.of("a\"b\\", List.of("\n"))))
                .isEqualTo("{\n  \"a\\\"b\\\\\": [\n    \"\\u000a\"\n  ]\n}\n");
        assertThat(Json.indented(List.of("\t\ud83e\uddf5"))).isEqualTo("[\n  \"\\u0009\ud83e\uddf5\"\n]\n");
        assertThat(Json.of(List.of("\t\ud83e\uddf5"))).isEqualTo("[\"\\t\\ud83e\\uddf5\"]");
    }

    /// Lists of numbers stay on one line: a report has thousands of them.
    @Test
    void indentedFormPutsOneMemberALine() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("runs", List.of(1.5, Double.NaN, 2));
        members.put("empty", List.of(Map.of(), List.of()));
        members.put("inner", new Inner(new int[] {1, 2}, null));
        assertThat(Json.indented(members)).isEqualTo("""
                {
                  "runs": [1.5, null, 2],
                  "empty": [
                    {},
                    []
                  ],
                  "inner": {
                    "numbers": [1, 2],
                    "text": null
                  }
                }
                """);
    }

    @Test
    void whatIsEmptyOrNoNumber() {
        assertThat(Json.of(Arrays.asList(List.of(), Map.of(), new Empty(), null, Double.NaN, new long[0])))
                .isEqualTo("[[],{},{},null,null,[]]");
        assertThat(Json.of(Map.of("k", Thread.State.NEW))).isEqualTo("{\"k\":\"NEW\"}");
    }

    /// A dump of thousands of goroutines is one line of many short strings. A reader that searched the rest of the line
    /// for each string would need hours for this one.
    @Test
    @Timeout(120)
    void eachStringOfALongLineIsReadOnce() {
        List<String> strings = Collections.nCopies(2_000_000, "a frame");
        assertThat(JsonReader.read(Json.of(strings))).isEqualTo(strings);
    }
}
