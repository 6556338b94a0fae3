package dev.heddle.cli;

import dev.heddle.doctor.Diagnosis;
import dev.heddle.internal.observe.WindowWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The file to which a program that we start records itself for the doctor.
///
/// @param file the path of the file
record RecordedRun(Path file) implements AutoCloseable {

    /// Creates the file. It is deleted by [#close], or when a signal ends this JVM.
    static RecordedRun create() throws IOException {
        Path file = Files.createTempFile("heddle-", ".recording");
        file.toFile().deleteOnExit(); // after the shutdown hooks, which may still read it
        return new RecordedRun(file);
    }

    /// The option for the program's JVM.
    String jvmOption() {
        return "-Dheddle.record=" + file;
    }

    /// The doctor's diagnoses of what has been recorded so far.
    ///
    /// @throws IOException with one sentence, if the file cannot be read
    List<Diagnosis> diagnoses() throws IOException {
        return Diagnosis.of(WindowWriter.read(file));
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
