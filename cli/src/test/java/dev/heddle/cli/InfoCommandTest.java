package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class InfoCommandTest {

    private final StringWriter err = new StringWriter();

    @Test
    void aJvmWithoutHeddleIsNamedAsSuch() {
        long self = ProcessHandle.current().pid();

        assertThat(info(Long.toString(self))).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("heddle: process " + self + " runs its virtual threads on the JDK's own"
                        + " scheduler: to have them on Heddle, start it with -javaagent:heddle.jar or by 'heddle run'."
                        + System.lineSeparator());
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
        assertThat(err.toString()).startsWith("heddle: process " + sleeping.pid() + " is not a JVM, or one that");
    }

    @Test
    void aPidIsANumber() {
        assertThat(info("x")).isEqualTo(2);
        assertThat(err.toString()).startsWith("heddle: ").hasLineCount(1);
    }

    private int info(String pid) {
        CommandLine heddle = Heddle.commandLine();
        PrintWriter writer = new PrintWriter(err, true);
        heddle.setErr(writer);
        return heddle.execute("info", pid);
    }
}
