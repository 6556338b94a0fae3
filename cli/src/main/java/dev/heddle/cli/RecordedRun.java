package dev.heddle.cli;

import dev.heddle.doctor.Diagnosis;
import dev.heddle.observe.FlightRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The file into which a program that we start records itself, for the doctor.
///
/// @param file where
record RecordedRun(Path file) implements AutoCloseable {

    static RecordedRun create() throws IOException {
        return new RecordedRun(Files.createTempFile("heddle-", ".recording"));
    }

    /// What the program's JVM has to be told.
    String jvmOption() {
        return "-Dheddle.record=" + file;
    }

    /// What the doctor says of what has been recorded so far.
    ///
    /// @throws IOException with one sentence, if it cannot be read
    List<Diagnosis> diagnoses() throws IOException {
        return Diagnosis.of(FlightRecorder.read(file));
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
