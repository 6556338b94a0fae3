package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.doctor.Cause;
import dev.heddle.doctor.Diagnosis;
import dev.heddle.doctor.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A program in a JVM of its own that records itself for the doctor.
final class RecordedProgram implements AutoCloseable {
    private static final String WINDOW_MILLIS = "1200";

    private final RecordedRun recorded = RecordedRun.create();
    private final Path output = Files.createTempFile("heddle-", ".output");
    private final Process process;

    RecordedProgram(Path classes, String name, String mode) throws IOException {
        JavaCommand java = JavaCommand.parse(List.of(
                heap(name, mode),
                "-Dseconds=300",
                recorded.jvmOption(),
                "-Dheddle.record.millis=" + WINDOW_MILLIS,
                "-cp",
                classes.toString(),
                name,
                mode));
        process = new ProcessBuilder(java.toCommandLine(HeddleJar.locate()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /// The goroutines of bug 4 fill any heap: on a busy computer the doctor's first window may take a minute.
    private static String heap(String name, String mode) {
        return mode.equals("garbage") ? "-Xmx64m" : name.equals(Bug.UNBOUNDED_SPAWN.program()) ? "-Xmx2g" : "-Xmx512m";
    }

    long pid() {
        return process.pid();
    }

    List<Finding> findings() throws IOException {
        assertThat(process.isAlive())
                .as(() -> "the program runs, and says " + output())
                .isTrue();
        return recorded.diagnoses().stream()
                .flatMap(it -> it.findings().stream())
                .toList();
    }

    private String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }

    List<Cause> causes() throws IOException {
        return findings().stream().map(Finding::cause).distinct().toList();
    }

    /// Waits for the first window of all schedulers.
    void awaitDiagnosis() {
        awaitDiagnosis(/* seconds= */ 0);
    }

    /// Waits until so many seconds of all schedulers are recorded, and at least one window.
    void awaitDiagnosis(double seconds) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    findings();
                    List<Diagnosis> diagnoses = recorded.diagnoses();
                    return !diagnoses.isEmpty() && diagnoses.stream().allMatch(it -> it.seconds() >= seconds);
                });
    }

    void end() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() throws IOException {
        end();
        recorded.close();
        Files.delete(output);
    }
}
