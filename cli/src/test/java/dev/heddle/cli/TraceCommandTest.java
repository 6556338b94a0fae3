package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.trace.TraceFile;
import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `heddle trace PID` on running programs.
final class TraceCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int trace(String... arguments) {
        String[] line = Stream.concat(Stream.of("trace"), Stream.of(arguments)).toArray(String[]::new);
        return Heddle.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(line);
    }

    private static void assertIsWhole(Path file) throws Exception {
        int blocks = 0;
        try (InputStream in = Files.newInputStream(file)) {
            TraceFile.Reader reader = new TraceFile.Reader(in);
            while (reader.next() != null) {
                blocks++;
            }
            assertThat(reader.damage()).isNull();
        }
        assertThat(blocks).isGreaterThan(5);
    }

    @Test
    void aProgramThatIsNotPreparedIsRecorded() throws Exception {
        Path file = folder.resolve("a.trace");
        try (LiveJvm target = Targets.withHeddle()) {
            String pid = Long.toString(target.pid());
            assertThat(trace(pid, "--seconds", "0.2", "-o", file.toString()))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString())
                    .startsWith("process " + pid + ": " + file + ", ")
                    .endsWith(" bytes\n");
            assertIsWhole(file);

            assertThat(trace(pid, "--flight")).isEqualTo(1);
            assertThat(err.toString())
                    .isEqualTo("heddle: process " + pid + ": it has no flight recorder of its scheduler: start it with"
                            + " -Dheddle.flight=10s, or with flight=10s in the agent's line.\n");
        }
    }

    @Test
    void theLastSecondsAreTakenFromTheFlightRecorder() throws Exception {
        Path file = folder.resolve("a.trace");
        try (LiveJvm target =
                ChildJvm.of(Waiters.class).option("-Dheddle.flight=10s").start()) {
            assertThat(target.readLine()).isEqualTo("ready");
            assertThat(trace(Long.toString(target.pid()), "--flight", "-o", file.toString()))
                    .as(err.toString())
                    .isZero();
            assertIsWhole(file);
        }
    }

    @Test
    void aRecordingSaysWhereGoroutinesWaitOnRequest() throws Exception {
        Path file = folder.resolve("a.trace");
        try (LiveJvm target = ChildJvm.of(Nappers.class).start()) {
            assertThat(target.readLine()).isEqualTo("ready");
            String pid = Long.toString(target.pid());
            assertThat(trace(pid, "--seconds", "0.3", "--stacks", "every:2", "-o", file.toString()))
                    .as(err.toString())
                    .isZero();
        }
        assertThat(HeddleResult.of("trace", "summary", file.toString()).out())
                .contains("where goroutines parked, by stacks", "dev.heddle.cli.Nappers.nap(Nappers.java:");
    }

    @Test
    void stacksAreEveryN() {
        for (String bad : List.of("10", "every:0", "every:", "all")) {
            err.getBuffer().setLength(0);
            assertThat(trace("1", "--stacks", bad)).isEqualTo(2);
            assertThat(err.toString())
                    .startsWith("heddle: --stacks " + bad + " is refused: it must be every:N, such as every:10;");
        }
        err.getBuffer().setLength(0);
        assertThat(trace("1", "--flight", "--stacks", "every:5")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("heddle: --flight takes what has been recorded: start the program with"
                        + " -Dheddle.stacks=every:5 to have stacks;");
    }

    @Test
    void wrongUsageIsAnsweredByOneSentence() throws IOException, InterruptedException {
        assertThat(trace()).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("heddle: say which process to record; 'heddle help trace' shows what there is.\n");
        err.getBuffer().setLength(0);
        assertThat(trace("1", "--seconds", "0")).isEqualTo(2);
        assertThat(err.toString()).startsWith("heddle: --seconds 0.0 is refused: it must be more than 0 and at most");
    }
}
