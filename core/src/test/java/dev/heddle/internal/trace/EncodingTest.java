package dev.heddle.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is written is what is read: every kind of event, every block, and files that are not whole.
class EncodingTest {

    private static final long[] NUMBERS = {7, 300, 70_000, 5_000_000_000L};
    private static final Map<Long, String> NAMES = Map.of(7L, "seven", 300L, "three hundred", 70_000L, "many");
    private static final EventDecoder.Buffer OF_MACHINE = new EventDecoder.Buffer(1, 2, 3, 4711, 42, "worker");
    private static final EventDecoder.Buffer OF_FOREIGN = new EventDecoder.Buffer(2, -1, -1, 0, 0, "");

    private static List<TraceEvent> decode(TraceBuffer buffer, EventDecoder.Buffer of) {
        List<TraceEvent> events = new ArrayList<>();
        EventDecoder decoder = new EventDecoder(of, id -> NAMES.getOrDefault(id, ""));
        buffer.drain((chunk, offset, bytes, length) -> {
            try {
                decoder.decode(
                        new EventDecoder.Piece(of.id(), chunk, offset),
                        new ByteSource(bytes, offset, length),
                        events::add);
            } catch (ByteSource.Damage e) {
                throw new AssertionError(e);
            }
        });
        return events;
    }

    private static boolean hasText(EventKind kind) {
        return kind.fields().contains(Field.TEXT);
    }

    private static void assertFields(TraceEvent event, EventKind kind) {
        assertThat(event.kind()).isEqualTo(kind);
        int next = 0;
        for (Field field : kind.fields()) {
            if (field.code() == Field.Code.TEXT) {
                assertThat(event.text()).isEqualTo("Grüße, €5?");
            } else {
                if (field.code() == Field.Code.NAME) {
                    assertThat(event.name()).isEqualTo(NAMES.getOrDefault(NUMBERS[next], ""));
                }
                assertThat(event.get(field)).as(field.name()).isEqualTo(NUMBERS[next++]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CHUNK")
    void everyKindIsReadAsItWasWritten(EventKind kind) {
        TraceBuffer buffer = new TraceBuffer(1, System.nanoTime(), null, 2, () -> {});
        TraceBuffer foreign = new TraceBuffer(2, System.nanoTime(), null, 2, () -> {});
        for (int i = 0; i < 2; i++) { // the second one follows another event
            if (hasText(kind)) {
                buffer.note(kind, NUMBERS[0], NUMBERS[1], NUMBERS[2], "Grüße, €5\uD83D");
                foreign.noteForeign(kind, 99, 1, NUMBERS[0], NUMBERS[1], NUMBERS[2], "Grüße, €5\uD83D");
            } else {
                buffer.note(kind, NUMBERS[0], NUMBERS[1], NUMBERS[2], NUMBERS[3]);
                foreign.noteForeign(kind, 99, 1, NUMBERS[0], NUMBERS[1], NUMBERS[2], NUMBERS[3]);
            }
        }

        List<TraceEvent> events = decode(buffer, OF_MACHINE);
        assertThat(events).hasSize(3).allMatch(it -> it.scheduler() == 2 && it.machine() == 3 && it.writer() == 42);
        assertFields(events.get(1), kind);
        assertFields(events.get(2), kind);
        List<TraceEvent> ofOthers = decode(foreign, OF_FOREIGN);
        assertThat(ofOthers).hasSize(3);
        assertThat(ofOthers.get(2)).matches(it -> it.scheduler() == 1 && it.machine() == -1 && it.writer() == 99);
        assertFields(ofOthers.get(1), kind);
        assertFields(ofOthers.get(2), kind);
    }

    @Test
    void theEventsOfEverySwitchAreReadAsTheyWereWritten() {
        TraceBuffer buffer = new TraceBuffer(1, System.nanoTime(), null, 2, () -> {});
        buffer.goCreate(1000, 300, Place.TAIL);
        buffer.goCreate(1001, 0, Place.NEXT);
        buffer.goReady(77, Place.GLOBAL);
        buffer.goStartFresh(1001, 78, Source.NEXT, 7, false);
        buffer.goPark(ParkReason.CHAN_SEND, 300);
        buffer.goStart(77, Source.QUEUE, true);
        buffer.goYield(true);
        buffer.goEnd();
        buffer.goVoid();

        List<TraceEvent> events = decode(buffer, OF_MACHINE);
        assertThat(events.stream().map(it -> it.toString().replaceFirst("^[0-9]+ ", "")))
                .containsExactly(
                        "CHUNK by M3 of scheduler 2 PROCESSOR=-1 THREAD=0 COUNT=0",
                        "GO_CREATE by M3 of scheduler 2 NUMBER=1000 BODY=three hundred PLACE=1",
                        "GO_CREATE by M3 of scheduler 2 NUMBER=1001 BODY= PLACE=0",
                        "GO_READY by M3 of scheduler 2 THREAD=77 PLACE=2",
                        "GO_START_FRESH by M3 of scheduler 2 NUMBER=1001 THREAD=78 SOURCE=0 BODY=seven",
                        "GO_PARK by M3 of scheduler 2 REASON=1 BLOCKER=three hundred",
                        "GO_START by M3 of scheduler 2 THREAD=77 SOURCE=1",
                        "GO_YIELD by M3 of scheduler 2 PREEMPTED=1",
                        "GO_END by M3 of scheduler 2",
                        "GO_VOID by M3 of scheduler 2");
        assertThat(events.get(6).time())
                .as("the clock is not read again")
                .isEqualTo(events.get(5).time());
        assertThat(events).isSortedAccordingTo((a, b) -> Long.compare(a.time(), b.time()));
    }

    @Test
    void negativeNumbersSurvive() {
        TraceBuffer buffer = new TraceBuffer(1, System.nanoTime(), null, 2, () -> {});
        buffer.note(EventKind.M_WAKE, -1, 0, 0, 0);
        buffer.note(EventKind.SLEEP_BEGIN, -1, 1, 0, 0);
        List<TraceEvent> events = decode(buffer, OF_MACHINE);
        assertThat(events.get(1).get(Field.MACHINE)).isEqualTo(-1);
        assertThat(events.get(2).get(Field.NANOS)).isEqualTo(-1);
        assertThatThrownBy(() -> events.get(1).get(Field.THREAD)).hasMessage("M_WAKE has no number THREAD");
    }

    /// The page that others write readers from has the same kinds, codes, fields and orders.
    @Test
    void thePageHasTheSameTable() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../docs/trace-format.md")).stream()
                .filter(it -> it.matches("\\| \\d+ \\| [A-Z_]+ \\|.*\\|.*\\|.*\\|"))
                .map(it -> Arrays.stream(it.split("\\|", -1))
                        .limit(5)
                        .map(String::strip)
                        .collect(Collectors.joining("|")))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(EventKind.values())
                        .map(it -> "|" + it.code() + "|" + it + "|"
                                + it.fields().stream().map(Field::name).collect(Collectors.joining(", ")) + "|"
                                + it.order().name().toLowerCase(java.util.Locale.ROOT))
                        .toList());
        List<String> fields = Files.readAllLines(Path.of("../docs/trace-format.md")).stream()
                .filter(it -> it.matches("\\| [A-Z]+ \\| (unsigned|signed|goroutine|name|text) \\|.*"))
                .map(it -> it.split("\\|", -1)[1].strip() + " " + it.split("\\|", -1)[2].strip())
                .toList();
        assertThat(fields)
                .containsExactlyElementsOf(Arrays.stream(Field.values())
                        .map(it -> it + " " + it.code().name().toLowerCase(java.util.Locale.ROOT))
                        .toList());
    }

    // ---- files

    private static byte[] fileOfTwoBlocks() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TraceFile.Writer writer = new TraceFile.Writer(out);
        writer.write(Block.Type.NAMES, new Bytes().unsigned(1).text("one").toArray());
        writer.write(Block.Type.BUFFER, OF_MACHINE.toPayload());
        return out.toByteArray();
    }

    @Test
    void blocksAreReadAsTheyWereWritten() throws Exception {
        TraceFile.Reader reader = new TraceFile.Reader(new ByteArrayInputStream(fileOfTwoBlocks()));
        ByteSource names = new ByteSource(reader.next().payload());
        assertThat(names.unsigned()).isOne();
        assertThat(names.text()).isEqualTo("one");
        assertThat(names.isAtEnd()).isTrue();
        Block buffer = reader.next();
        assertThat(buffer.type()).isEqualTo(Block.Type.BUFFER);
        assertThat(EventDecoder.Buffer.of(new ByteSource(buffer.payload()))).isEqualTo(OF_MACHINE);
        assertThat(reader.next()).isNull();
        assertThat(reader.damage()).isNull();
    }

    @Test
    void aFileThatIsCutOffAnywhereYieldsItsWholeBlocks() throws Exception {
        byte[] whole = fileOfTwoBlocks();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            if (length < TraceFile.MAGIC.length()) {
                assertThatThrownBy(() -> new TraceFile.Reader(new ByteArrayInputStream(cut)))
                        .isInstanceOf(ByteSource.Damage.class);
            } else {
                TraceFile.Reader reader = new TraceFile.Reader(new ByteArrayInputStream(cut));
                int blocks = 0;
                while (reader.next() != null) {
                    blocks++;
                }
                assertThat(blocks).isLessThan(2);
                assertThat(reader.damage() == null)
                        .as("a file that ends between two blocks looks whole")
                        .isEqualTo(length == TraceFile.MAGIC.length() || (blocks == 1 && isEndOfFirst(whole, length)));
            }
        }
    }

    private static boolean isEndOfFirst(byte[] whole, int length) {
        return length == TraceFile.MAGIC.length() + 4 + whole[TraceFile.MAGIC.length() + 1] + 4;
    }

    @Test
    void aChangedByteIsFoundAnywhere() throws Exception {
        byte[] whole = fileOfTwoBlocks();
        for (int i = 0; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 1;
            if (i < TraceFile.MAGIC.length()) {
                assertThatThrownBy(() -> new TraceFile.Reader(new ByteArrayInputStream(changed)))
                        .isInstanceOf(ByteSource.Damage.class);
            } else {
                TraceFile.Reader reader = new TraceFile.Reader(new ByteArrayInputStream(changed));
                while (reader.next() != null) {
                    // up to the damage
                }
                assertThat(reader.damage()).as("byte " + i).isNotNull();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "heddle tr", "heddle trace 9\n...", "%PDF-1.4 something"})
    void whatIsNoRecordingIsRefused(String content) {
        assertThatThrownBy(() -> new TraceFile.Reader(new ByteArrayInputStream(content.getBytes())))
                .isInstanceOf(ByteSource.Damage.class)
                .message()
                .startsWith("it ");
    }

    @Test
    void nonsenseInsteadOfEventsIsDamage() {
        EventDecoder decoder = new EventDecoder(OF_MACHINE, _ -> "");
        assertThatThrownBy(() ->
                        decoder.decode(new EventDecoder.Piece(1, 0, 0), new ByteSource(new byte[] {62, 0}), _ -> {}))
                .hasMessage("there is no event of kind 62");
        assertThatThrownBy(() ->
                        decoder.decode(new EventDecoder.Piece(1, 0, 0), new ByteSource(new byte[] {5, -1}), _ -> {}))
                .hasMessage("a number is cut off");
    }
}
