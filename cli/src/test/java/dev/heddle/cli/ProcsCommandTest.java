package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ProcsCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(ProcsCommand command, String... args) {
        return new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    @Test
    void explainsTheNumberOfThisMachine() {
        assertThat(run(new ProcsCommand())).isZero();

        assertThat(out.toString().lines().findFirst().orElseThrow()).matches("procs=\\d+: .+");
        assertThat(out.toString()).contains("  cpus ", "  quota ", "  numa ");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aRefusedSettingIsOneLineAndAUsageError() {
        ProcsCommand command = new ProcsCommand(() -> {
            throw new IllegalArgumentException("-Dheddle.procs=x is refused: it is not a number from 1 to 10000");
        });

        assertThat(run(command)).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "heddle: -Dheddle.procs=x is refused: it is not a number from 1 to 10000\n");
    }
}
