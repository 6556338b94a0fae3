package dev.heddle.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.TraceEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RecordingTest {

    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("x.trace");
    }

    private static List<TraceEvent> events(Recording recording) throws IOException {
        List<TraceEvent> all = new ArrayList<>();
        try (EventStream events = recording.events()) {
            for (TraceEvent event = events.next(); event != null; event = events.next()) {
                all.add(event);
            }
        }
        return all;
    }

    @Test
    void theEventsOfAllMachinesComeInTheOrderOfTime() throws IOException {
        Recording recording = Recording.open(Scenario.small().write(file()));

        List<TraceEvent> events = events(recording);
        assertThat(events).isSortedAccordingTo((a, b) -> Long.compare(a.time(), b.time()));
        assertThat(events.stream().filter(it -> it.kind() != EventKind.CHUNK)).hasSize(38);
        assertThat(events.getLast().toString()).isEqualTo("2310 P_STOP by M2 PROCESSOR=1");
        assertThat(recording.header().command()).isEqualTo("app.Main");
        assertThat(recording.schedulers()).containsExactly(new SchedulerInfo(0, "heddle", 2));
        assertThat(recording.threads())
                .containsExactly(new ListedThread(0, 3000, 95, "sleeper", "app.Sleeper", "sleep"));
        assertThat(recording.notes()).isEmpty();
    }

    @Test
    void atTheSameTimeWhatGivesComesBeforeWhatTakes() throws IOException {
        Scenario scenario = new Scenario()
                .has(1, 0, 0)
                .has(2, 1, 40)
                .at(100, 1, EventKind.GO_START, 41, 2)
                .at(100, 2, EventKind.GO_READY, 41, 2);
        assertThat(events(Recording.open(scenario.write(file()))))
                .extracting(TraceEvent::kind)
                .containsExactly(EventKind.CHUNK, EventKind.CHUNK, EventKind.GO_READY, EventKind.GO_START);
    }

    // ---- what is no recording, or no whole one

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
                    ``                    | it is empty.
                    `%PDF-1.4 and so on`  | it is no recording of Heddle.
                    `heddle trace 9\n...` | it was written by another version of Heddle: its first line is 'heddle trace 9'
                    `heddle tr`           | it ends in its first line.
                    """)
    void whatIsNoRecordingIsRefusedInOneSentence(String content, String sentence) throws IOException {
        Files.writeString(file(), content.translateEscapes(), StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> Recording.open(file()))
                .isInstanceOf(RecordingException.class)
                .hasMessageStartingWith("cannot read " + file() + ": " + sentence);
    }

    @Test
    void aMissingFileAndADirectoryAreSaidToBeThat() {
        assertThatThrownBy(() -> Recording.open(file())).hasMessage("there is no file '" + file() + "'.");
        assertThatThrownBy(() -> Recording.open(directory))
                .isInstanceOf(RecordingException.class)
                .hasMessageStartingWith("cannot read " + directory);
    }

    // A recording of three parts, each marked as complete.

    private static final int PARTS = 3;

    private static final int EVENTS_OF_A_PART = 4;

    /// The file that is cut off at each length yields all parts that are complete, or one sentence.
    @Test
    void aFileThatIsCutOffAnywhereYieldsWhatCameBefore() throws IOException {
        byte[] whole = SampleRecording.small(PARTS);
        List<TraceEvent> all = events(whole);
        int before = 0;
        for (int length = 0; length < whole.length; length++) {
            int usable = usable(Arrays.copyOf(whole, length), all);
            assertThat(usable).as("of " + length + " bytes").isGreaterThanOrEqualTo(before);
            before = usable;
        }
        assertThat(before).isEqualTo(all.size());
    }

    /// Each bit of the file is changed once: what comes before it stays usable, and nothing after it is used.
    @Test
    void aFileWithAChangedBitAnywhereYieldsWhatCameBefore() throws IOException {
        byte[] whole = SampleRecording.small(PARTS);
        List<TraceEvent> all = events(whole);
        for (int i = 0; i < whole.length; i++) {
            int before = usable(Arrays.copyOf(whole, i), all);
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] changed = whole.clone();
                changed[i] ^= (byte) (1 << bit);
                assertThat(usable(changed, all)).as("byte " + i).isEqualTo(before);
            }
        }
    }

    private List<TraceEvent> events(byte[] content) throws IOException {
        Files.write(file(), content);
        return events(Recording.open(file()));
    }

    /// How many events of a damaged file can be used: they are the first of all, and can be replayed. Only the tool's
    /// own exception may say that there are none, and every damage is told in one sentence.
    private int usable(byte[] content, List<TraceEvent> all) throws IOException {
        Files.write(file(), content);
        try {
            Recording recording = Recording.open(file());
            assertThat(recording.notes()).singleElement().asString().startsWith("the recording is not whole: ");
            Replay.of(recording);
            List<TraceEvent> events = events(recording);
            assertThat(events).isEqualTo(all.subList(0, events.size()));
            assertThat(events.size() % EVENTS_OF_A_PART).as("whole parts only").isZero();
            return events.size();
        } catch (RecordingException e) {
            assertThat(e.getMessage()).endsWith(".").doesNotContain("\n");
            return 0;
        }
    }

    @Test
    void aFileThatBreaksOffSaysUpToWhenItIsUsed() throws IOException {
        Scenario.small().completeUntil(1450).write(file());
        Recording recording = Recording.open(file());
        assertThat(recording.to()).isEqualTo(1450);
        assertThat(events(recording).getLast().time()).isEqualTo(1400);
        assertThat(recording.notes())
                .containsExactly(
                        "the recording is not whole: it breaks off; used is what was complete before, up to 0.000 s");
    }

    @Test
    void whatFollowsADamageIsNotUsed() throws IOException {
        byte[] good = Scenario.small().completeUntil(1450).bytes();
        byte[] file = Arrays.copyOf(good, good.length + 20); // zeros: a block of no type with a wrong check sum
        file[good.length + 1] = 5;
        Files.write(file(), file);
        assertThat(Recording.open(file()).notes())
                .containsExactly(
                        "the recording is not whole: a block of 5 bytes was changed; used is what was complete "
                                + "before, up to 0.000 s");
    }

    @Test
    void aRecordingInWhichNotAllMachinesTookPartIsRefused() throws IOException {
        Scenario.small().strictFrom(5_000).endsAt(3_000).write(file());
        assertThatThrownBy(() -> Recording.open(file())).hasMessageContaining("record for longer.");
    }

    @Test
    void theLongestPartWithoutAGapIsUsed() throws IOException {
        Scenario scenario = new Scenario()
                .has(1, 0, 40)
                .at(100, 1, EventKind.GO_PARK, 0, "")
                .chunk(2000, 1, 0, 0, 3)
                .at(2100, 1, EventKind.GO_START, 41, 0)
                .at(2500, 1, EventKind.GO_END)
                .chunk(9000, 1, 0, 0, 4)
                .at(9100, 1, EventKind.GO_START, 42, 0);
        Recording recording = Recording.open(scenario.write(file()));
        assertThat(recording.from()).isEqualTo(9000);
        assertThat(recording.to()).isEqualTo(10_000);
        assertThat(recording.notes().getFirst()).contains("used is the longest part without a gap");
        assertThat(Replay.of(recording).counts().isBalanced()).isTrue();
    }
}
