package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.ChildJvm;
import dev.heddle.trace.SampleRecording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands that read recordings, in a JVM whose heap is smaller than the recording.
final class SmallHeapTest {

    private static final String HEAP = "-Xmx32m";
    private static final long HEAP_BYTES = 32L << 20;

    @TempDir
    private Path folder;

    /// Runs one command after the other, as `heddle` does.
    static final class Readers {
        private Readers() {}

        /// @param lines commands, with spaces between their words
        public static void main(String... lines) {
            for (String line : lines) {
                int exitCode = Heddle.commandLine().execute(line.split(" "));
                System.out.println("exit code " + exitCode);
            }
        }
    }

    private static ChildJvm.Result run(String... lines) throws InterruptedException {
        return ChildJvm.withClassPath(System.getProperty("java.class.path"), Readers.class, lines)
                .option(HEAP, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .run();
    }

    /// Texts make the file large. The events are few, so that the test takes little time.
    @Test
    void aFileLargerThanTheHeapIsReadByAll() throws IOException, InterruptedException {
        Path file = SampleRecording.ofSwitches(folder.resolve("large.trace"), 3_000, 20, 15, 1_000);
        assertThat(Files.size(file)).isGreaterThan(HEAP_BYTES);
        ChildJvm.Result result = run(
                "trace summary " + file,
                "trace export --to json " + file,
                "trace export --to perfetto " + file,
                "trace export --to go " + file,
                "trace view --no-open " + file,
                "doctor --trace " + file);
        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines().filter(it -> it.startsWith("exit code")))
                .hasSize(6)
                .containsOnly("exit code 0");
        assertThat(Path.of(file + ".jsonl")).isNotEmptyFile();
    }

    /// Each goroutine that lives needs memory.
    @Test
    void tooManyGoroutinesAreOneSentence() throws IOException, InterruptedException {
        Path file = SampleRecording.ofGoroutines(folder.resolve("many.trace"), 200, 2_000);
        assertOneSentenceEach(run("trace summary " + file, "trace export --to go " + file), file, 2);
        try (var files = Files.list(folder)) {
            assertThat(files).as("no half file").containsExactly(file);
        }
    }

    /// The page holds all events.
    @Test
    void aPageWithTooManyEventsIsOneSentence() throws IOException, InterruptedException {
        Path file = SampleRecording.ofSwitches(folder.resolve("long.trace"), 1_000, 800, 0, 0);
        assertOneSentenceEach(run("trace view --no-open " + file), file, 1);
        assertThat(Path.of(file + ".html")).doesNotExist();
    }

    private static void assertOneSentenceEach(ChildJvm.Result result, Path file, int commands) {
        String sentence = "heddle: " + file + " is too large for the memory of this command: record for a shorter time,"
                + " or give it more by JAVA_TOOL_OPTIONS=-Xmx8g.";
        assertThat(result.err().lines()).hasSize(commands).containsOnly(sentence);
        assertThat(result.out().lines()).hasSize(commands).containsOnly("exit code 1");
    }
}
