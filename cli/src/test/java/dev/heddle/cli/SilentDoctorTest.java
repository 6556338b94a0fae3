package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The doctor finds nothing in real programs that are healthy, in JVMs of their own: the repaired forms of the
/// bugs, and look-alikes. A class of its own beside [DoctorTest], so that both run at the same time.
final class SilentDoctorTest {

    @TempDir
    private static Path classes;

    @BeforeAll
    static void compile() throws IOException {
        DoctorPrograms.compileInto(classes);
    }

    @ParameterizedTest
    @EnumSource
    void findsNothingInTheFixedProgram(Bug bug) throws IOException {
        assumeTrue(
                bug.number() <= 10 || Boolean.getBoolean("heddle.doctor.all"),
                "the later ones take half a minute: -Dheddle.doctor.all=true runs them, too");
        try (var program = new RecordedProgram(classes, bug.program(), "fixed")) {
            program.awaitDiagnosis();
            assertThat(program.findings()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pingPong", "skynet", "spawn", "pipeline", "echo", "idle", "locks", "batch"})
    void findsNothingInAHealthyProgram(String name) throws IOException {
        try (var program = new RecordedProgram(classes, "Healthy", name)) {
            program.awaitDiagnosis();
            assertThat(program.findings()).isEmpty();
        }
    }

    @Test
    void findsNothingInProgramsThatLookAlike() throws IOException {
        try (var program = new RecordedProgram(classes, "Troubles", "lookAlikes")) {
            program.awaitDiagnosis();
            assertThat(program.findings()).isEmpty();
        }
    }
}
