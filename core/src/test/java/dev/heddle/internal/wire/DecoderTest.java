package dev.heddle.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What [Json#compact] writes, [JsonReader] and [Decoder] read.
public final class DecoderTest {

    public record Inner(String name, List<String> frames) {}

    public record Outer(
            long id,
            int count,
            double share,
            boolean flag,
            @Nullable String text,
            Thread.State state,
            List<Inner> inner,
            Map<String, Integer> numbers,
            @Nullable Inner one) {}

    /// As a later version might have it.
    public record LaterInner(String name, List<String> frames, long added, List<Long> more) {}

    @SuppressWarnings("ArrayRecordComponent") // the records of dev.heddle.stats have some
    public record Arrays(long[] longs, int[] ints, byte[] bytes) {}

    private static <T> T copy(Class<T> type, Object value) {
        return Decoder.decode(type, JsonReader.read(Json.compact(value)));
    }

    @Test
    void aRecordComesBackEqual() {
        Inner inner = new Inner("a \"b\" \\ \n \u0001 \ud83e\uddf5", List.of("x", "", "y"));
        Outer full = new Outer(
                Long.MIN_VALUE, 7, 0.25, true, "", Thread.State.WAITING, List.of(inner, inner), Map.of("k", 3), inner);
        Outer empty = new Outer(0, 0, 0, false, null, Thread.State.NEW, List.of(), Map.of(), null);

        assertThat(copy(Outer.class, full)).isEqualTo(full);
        assertThat(copy(Outer.class, empty)).isEqualTo(empty);
        assertThat(Json.compact(empty)).isEqualTo("{\"state\":\"NEW\"}");
    }

    @Test
    void arraysComeBackEqual() {
        Arrays arrays = new Arrays(new long[] {1, -2}, new int[0], new byte[] {0, (byte) 0xca, 1});
        Arrays copy = copy(Arrays.class, arrays);

        assertThat(copy.longs).containsExactly(1, -2);
        assertThat(copy.ints).isEmpty();
        assertThat(copy.bytes).containsExactly(0, 0xca, 1);
    }

    @Test
    void otherVersionsOfARecordAreRead() {
        assertThat(copy(LaterInner.class, new Inner("a", List.of("f"))))
                .isEqualTo(new LaterInner("a", List.of("f"), 0, List.of()));
        assertThat(copy(Inner.class, new LaterInner("a", List.of("f"), 5, List.of(6L))))
                .isEqualTo(new Inner("a", List.of("f")));
    }

    @Test
    void aSharedListIsWrittenOnce() {
        SharedLists shared = new SharedLists();
        List<String> frames = List.of("one", "two");
        String first = Json.compact(new Inner("a", frames), shared);
        List<List<?>> added = new ArrayList<>(shared.takeAdded());
        String second = Json.compact(new Inner("b", List.of("one", "two")), shared);

        assertThat(first).isEqualTo("{\"name\":\"a\",\"frames\":0}");
        assertThat(second).isEqualTo("{\"name\":\"b\",\"frames\":0}");
        assertThat(added).containsExactly(frames);
        assertThat(shared.takeAdded()).isEmpty();
        assertThat(Decoder.decode(Inner.class, JsonReader.read(second), added)).isEqualTo(new Inner("b", frames));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Decoder.decode(Inner.class, JsonReader.read("{\"frames\":1}"), added))
                .withMessage("there is no shared list 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "7",
                "{\"id\":\"7\"}",
                "{\"count\":5000000000}",
                "{\"flag\":1}",
                "{\"state\":\"GONE\"}",
                "{\"inner\":{}}",
                "{\"inner\":[7]}",
                "{\"numbers\":[]}",
                "null"
            })
    void otherTypesAreRefused(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> Decoder.decode(Outer.class, JsonReader.read(json)));
    }

    @Test
    void everyKindOfValueIsRead() {
        assertThat(JsonReader.read(
                        " { \"a\" : [ 1 , -2.5e1 , true , false , null , \"\\u00e9\\/\\b\\f\\r\" ] , \"b\":{}} "))
                .hasToString("{a=[1, -25.0, true, false, null, \u00e9/\b\f\r], b={}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[1,]",
                "{\"a\"}",
                "{a:1}",
                "\"open",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12zz\"",
                "tru",
                "1 2",
                "-",
                "1.2.3",
                "99999999999999999999"
            })
    void whatIsNoJsonIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonReader.read(text))
                .withMessageStartingWith("malformed JSON at character ");
    }

    /// A hostile process must not make the stack overflow.
    @Test
    void deepNestingIsRefused() {
        assertThat(JsonReader.read("[".repeat(60) + "]".repeat(60))).isInstanceOf(List.class);
        assertThatIllegalArgumentException().isThrownBy(() -> JsonReader.read("[".repeat(100_000)));
    }
}
