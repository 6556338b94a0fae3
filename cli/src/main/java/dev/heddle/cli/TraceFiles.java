package dev.heddle.cli;

import dev.heddle.trace.Recording;
import dev.heddle.trace.RecordingException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;

/// Recordings that commands read.
final class TraceFiles {

    static final String FILE = "FILE";
    static final String DESCRIPTION = "A recording, by 'heddle trace PID' or 'heddle run --trace'.";

    private TraceFiles() {}

    /// Opens a recording, and says on standard error what is missing in it.
    static Recording open(Path file, CommandSpec spec) throws IOException {
        Recording recording = read(file, () -> Recording.open(file));
        PrintWriter err = spec.commandLine().getErr();
        recording.notes().forEach(it -> err.println("heddle: " + file + ": " + it + "."));
        err.flush();
        return recording;
    }

    /// Something that reads a recording.
    interface Reading<T> {
        T run() throws IOException;
    }

    /// Reads, or says in one sentence that the recording is too large for this command's memory.
    static <T> T read(Path file, Reading<T> reading) throws IOException {
        try {
            return reading.run();
        } catch (OutOfMemoryError e) {
            throw new RecordingException(file + " is too large for the memory of this command: record for a shorter "
                    + "time, or give it more by JAVA_TOOL_OPTIONS=-Xmx8g.");
        }
    }
}
