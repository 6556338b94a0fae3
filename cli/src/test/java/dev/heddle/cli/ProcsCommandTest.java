package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class ProcsCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int heddle(String... args) {
        return Heddle.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    @Test
    void explainsTheNumberOfThisMachine() {
        assertThat(heddle("procs")).isZero();

        assertThat(out.toString().lines().findFirst().orElseThrow()).matches("procs=\\d+: .+");
        assertThat(out.toString()).contains("\n  cpus ", "\n  quota ", "\n  throttled ", "\n  numa ");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void saysWhatWouldBeWithASetting() {
        assertThat(heddle("procs", "-Dheddle.procs=7")).isZero();

        assertThat(out.toString()).startsWith("procs=7: -Dheddle.procs=7 (by default ");
        assertThat(System.getProperty("heddle.procs")).isNull();
    }

    @Test
    void aRefusedSettingIsOneLineAndWrongUsage() {
        assertThat(heddle("procs", "-Dheddle.procs=x")).isEqualTo(2);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "heddle: -Dheddle.procs=x is refused: it is not a number from 1 to 65535; "
                                + "'heddle help procs' shows what there is.\n");
    }
}
