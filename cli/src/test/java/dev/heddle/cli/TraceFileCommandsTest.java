package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Go;
import dev.heddle.Trace;
import dev.heddle.WaitGroup;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The commands that read recordings, over one of this JVM.
final class TraceFileCommandsTest {

    @TempDir
    private static Path directory;

    private static Path file;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void record() throws IOException, InterruptedException {
        file = directory.resolve("a.trace");
        Trace.start(file);
        WaitGroup group = new WaitGroup();
        for (int i = 0; i < 50; i++) {
            group.go(() -> Thread.sleep(1));
        }
        group.await();
        Go.gosched();
        Trace.stop();
    }

    private int heddle(String... line) {
        return Heddle.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(line);
    }

    @Test
    void theSummaryIsOnePage() {
        assertThat(heddle("trace", "summary", file.toString())).isZero();
        assertThat(out.toString())
                .startsWith("a.trace: process " + ProcessHandle.current().pid())
                .contains("from runnable to running", "the longest waits for a processor:", "sleep");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theSummaryIsJsonOnRequest() {
        assertThat(heddle("trace", "summary", file.toString(), "--json", "--waits", "1"))
                .isZero();
        assertThat(out.toString()).startsWith("{").contains("\"longestWaits\": [");
    }

    @Test
    void exportsWriteAFileBesideTheRecording() throws IOException {
        for (String[] each :
                new String[][] {{"go", ".go.trace", "go 1.26 trace"}, {"json", ".jsonl", "{\"kind\":\"rec"}}) {
            assertThat(heddle("trace", "export", "--to", each[0], file.toString()))
                    .isZero();
            Path written = Path.of(file + each[1]);
            assertThat(new String(Files.readAllBytes(written), java.nio.charset.StandardCharsets.ISO_8859_1))
                    .startsWith(each[2]);
        }
        assertThat(heddle("trace", "export", "--to", "perfetto", file.toString(), "-o", file + ".x"))
                .isZero();
        assertThat(Path.of(file + ".x")).isNotEmptyFile();
        assertThat(heddle("trace", "export", "--to", "go", "--go-version", "22", file.toString()))
                .isZero();
        assertThat(Files.readAllBytes(Path.of(file + ".go.trace"))).startsWith("go 1.22 trace".getBytes());
    }

    @Test
    void theDoctorReadsARecording() {
        assertThat(heddle("doctor", "--trace", file.toString(), "--json")).isZero();
        assertThat(out.toString()).startsWith("{\"file\":\"" + file).contains("\"findings\":");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
                    trace summary               , FILE is missing
                    trace export a.trace        , --to needs a value: --to FORMAT
                    trace export --to x a.trace , `--to must be perfetto or go or json, not 'x'`
                    trace summary a --waits -1  , `--waits must be between 0 and 1000, not -1`
                    trace export --to go --go-version 25 a , `--go-version must be 22 or 26, not 25`
                    doctor                      , PID is missing ('heddle ps' lists the processes that run on Heddle)
                    doctor 1 --trace a          , --trace is about a file: leave PID away
                    """)
    void wrongUsageIsAnsweredByOneSentence(String line, String sentence) {
        assertThat(heddle(line.split(" +"))).isEqualTo(2);
        assertThat(err.toString()).startsWith("heddle: " + sentence).hasLineCount(1);
    }

    @Test
    void whatIsNoRecordingIsRefusedInOneSentence() throws IOException {
        Path other = Files.writeString(directory.resolve("b.trace"), "something else");
        for (String[] line : new String[][] {
            {"trace", "summary", "" + other},
            {"trace", "export", "--to", "go", "" + other},
            {"doctor", "--trace", "" + other}
        }) {
            err.getBuffer().setLength(0);
            assertThat(heddle(line)).as(Arrays.toString(line)).isEqualTo(1);
            assertThat(err.toString()).isEqualTo("heddle: cannot read " + other + ": it is no recording of Heddle.\n");
        }
    }

    @Test
    void aDamagedRecordingIsUsedUpToTheDamage() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Path cut = Files.write(directory.resolve("cut.trace"), Arrays.copyOf(whole, whole.length - 1));
        int exitCode = heddle("trace", "summary", cut.toString());
        assertThat(err.toString()).hasLineCount(1).contains(" it ends within a block");
        assertThat(exitCode).as("nothing, if no second was complete").isIn(0, 1);
    }

    @Test
    void anExportNeverReplacesTheRecordingNorLeavesHalfAFile() {
        assertThat(heddle("trace", "export", "--to", "go", file.toString(), "-o", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("heddle: " + file + " is the recording itself: name another file by -o.\n");
        assertThat(file).isNotEmptyFile();
        err.getBuffer().setLength(0);
        assertThat(heddle("trace", "export", "--to", "go", file.toString(), "-o", directory + "/no/x"))
                .isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("heddle: cannot write " + directory + "/no/x: its directory does not exist.\n");
    }
}
