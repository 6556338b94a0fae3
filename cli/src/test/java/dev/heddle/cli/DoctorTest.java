package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.doctor.Cause;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/// The doctor on real programs that have problems, in JVMs of their own: the bugs of `examples/bugs/`, and others.
final class DoctorTest {

    @TempDir
    private static Path classes;

    @BeforeAll
    static void compile() throws IOException {
        DoctorPrograms.compileInto(classes);
    }

    /// In one of the first windows: on a busy machine the first one may be too short of looks.
    @ParameterizedTest
    @EnumSource
    void namesTheCauseOfEachBug(Bug bug) throws IOException {
        assertNames(bug.cause(), bug.program(), "broken");
    }

    private static void assertNames(Cause cause, String name, String mode) throws IOException {
        try (var program = new RecordedProgram(classes, name, mode)) {
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> program.causes().contains(cause));
            assertThat(program.causes()).containsExactly(cause);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "leak, LEAKED_GOROUTINES",
        "locks, DEADLOCK",
        "monitors, DEADLOCK",
        "lostTasks, LOST_TASKS",
        "garbage, GC_PRESSURE"
    })
    void namesOtherCauses(String program, Cause cause) throws IOException {
        assertNames(cause, "Sick", program);
    }

    @ParameterizedTest
    @CsvSource({"slowConsumer, SLOW_CONSUMER", "slowDns, SLOW_DNS", "cancelledTimers, TIMER_STORM"})
    void namesWaitsThatGoWrong(String program, Cause cause) throws IOException {
        assertNames(cause, "Troubles", program);
    }

    @Test
    void watchesUntilTheProcessEnds() throws IOException, InterruptedException {
        try (var program = new RecordedProgram(classes, Bug.THUNDERING_HERD.program(), "broken")) {
            program.awaitDiagnosis();
            StringWriter out = new StringWriter();
            CommandLine heddle = Heddle.commandLine();
            heddle.setOut(new PrintWriter(out, true));
            AtomicInteger exitCode = new AtomicInteger(-1);
            Thread watch = Thread.ofPlatform()
                    .start(() -> exitCode.set(heddle.execute(
                            "doctor", Long.toString(program.pid()), "--watch", "--json", "--seconds", "2")));
            await().atMost(Duration.ofSeconds(60)).until(() -> out.toString().contains("thundering-herd"));
            program.end();
            watch.join();

            assertThat(exitCode).hasValue(0);
            List<String> lines = out.toString().lines().toList();
            assertThat(lines).hasSize(2).allMatch(it -> it.startsWith("{\"time\":\"") && it.endsWith("}"));
            assertThat(lines.getFirst()).contains("\"event\":\"found\"");
            assertThat(lines.getLast()).contains("\"event\":\"ended\"");
        }
    }

    @Test
    void examinesARunningProcess() throws IOException {
        try (var program = new RecordedProgram(classes, Bug.SLOW_TAIL.program(), "broken")) {
            program.awaitDiagnosis();
            StringWriter out = new StringWriter();
            CommandLine heddle = Heddle.commandLine();
            heddle.setOut(new PrintWriter(out, true));

            assertThat(heddle.execute("doctor", Long.toString(program.pid()), "--seconds", "2", "--exit-code"))
                    .isEqualTo(3);

            assertThat(out.toString())
                    .startsWith("process " + program.pid() + ", scheduler ")
                    .contains("slow-lock: the slow ones wait for a lock")
                    .contains("Bug06SlowTail.flush");
        }
    }

    @Test
    void aProcessThatIsNotThereIsNamed() throws IOException, InterruptedException {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        StringWriter err = new StringWriter();
        CommandLine heddle = Heddle.commandLine();
        heddle.setErr(new PrintWriter(err, true));

        assertThat(heddle.execute("doctor", Long.toString(ended.pid()))).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("heddle: there is no process " + ended.pid() + "." + System.lineSeparator());
    }
}
