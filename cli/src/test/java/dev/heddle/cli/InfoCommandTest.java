package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class InfoCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void everySchedulerOfARunningProgramIsShown() throws IOException, InterruptedException {
        try (LiveJvm target = Targets.withHeddle()) {
            assertThat(info(Long.toString(target.pid()))).isZero();

            assertThat(out.toString())
                    .contains("process " + target.pid() + ", scheduler heddle, up ")
                    .contains("process " + target.pid() + ", scheduler other, up ")
                    .contains(
                            "goroutines  3 live: 0 running, 0 runnable, 0 in syscalls, 0 pinned, 3 waiting; 3 started")
                    .containsPattern("threads     \\d+: \\d+ idle, 0 spinning, 0 blocked \\(0 pinned\\), 0 hogs")
                    .containsPattern("latency     \\d+ samples, too few to tell; 100 are needed");
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aJvmWithoutHeddleIsNamedAsSuch() throws IOException, InterruptedException {
        try (LiveJvm target = Targets.withoutHeddle()) {
            assertThat(info(Long.toString(target.pid()))).isEqualTo(1);
            assertThat(err.toString())
                    .startsWith("heddle: process " + target.pid() + " ")
                    .contains("-javaagent:heddle.jar")
                    .hasLineCount(1);
        }
    }

    @Test
    void aProcessThatIsNotThereIsNamed() throws IOException, InterruptedException {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();

        assertThat(info(Long.toString(ended.pid()))).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("heddle: there is no process " + ended.pid() + "." + System.lineSeparator());
    }

    @Test
    void aProcessThatIsNoJvmIsNamed() throws IOException {
        Process sleeping = new ProcessBuilder("sleep", "60").start();
        try {
            assertThat(info(Long.toString(sleeping.pid()))).isEqualTo(1);
        } finally {
            sleeping.destroy();
        }
        assertThat(err.toString()).startsWith("heddle: process " + sleeping.pid() + " is not a JVM");
    }

    @Test
    void aPidIsANumber() {
        assertThat(info("x")).isEqualTo(2);
        assertThat(err.toString()).startsWith("heddle: ").hasLineCount(1);
    }

    private int info(String pid) {
        CommandLine heddle = Heddle.commandLine();
        heddle.setOut(new PrintWriter(out, true));
        heddle.setErr(new PrintWriter(err, true));
        return heddle.execute("info", pid);
    }
}
