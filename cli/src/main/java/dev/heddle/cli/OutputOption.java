package dev.heddle.cli;

import dev.heddle.trace.RecordingException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The file that a command makes of a recording.
final class OutputOption {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            description = "The file to write; FILE with another ending unless set.")
    private @Nullable Path output;

    /// Writes what was read from a recording.
    interface Writing {
        void to(OutputStream out) throws IOException;
    }

    /// Writes the file, and returns its name. Never replaces the recording, and leaves no half file behind.
    ///
    /// @param suffix follows the recording's name, unless the user has named a file
    Path write(Path recording, String suffix, Writing writing) throws IOException {
        Path to = output == null ? Path.of(recording + suffix) : output;
        if (Files.exists(to) && Files.isSameFile(recording, to)) {
            throw new IOException(to + " is the recording itself: name another file by -o.");
        }
        OutputStream out = create(to);
        try (out) {
            TraceFiles.read(recording, () -> {
                writing.to(out);
                return to;
            });
            return to;
        } catch (RecordingException | RuntimeException e) {
            deleteHalf(to);
            throw e;
        } catch (IOException e) {
            deleteHalf(to);
            throw cannotWrite(to, String.valueOf(e.getMessage()), e);
        }
    }

    private static OutputStream create(Path to) throws IOException {
        try {
            return new BufferedOutputStream(Files.newOutputStream(to));
        } catch (NoSuchFileException e) {
            throw cannotWrite(to, "its directory does not exist", e);
        } catch (AccessDeniedException e) {
            throw cannotWrite(to, "this user may not", e);
        } catch (IOException e) {
            throw cannotWrite(to, Files.isDirectory(to) ? "it is a directory" : String.valueOf(e.getMessage()), e);
        }
    }

    private static IOException cannotWrite(Path to, String why, IOException cause) {
        return new IOException("cannot write " + to + ": " + why + ".", cause);
    }

    /// Half a file would look like a whole one. A device or a pipe stays.
    private static void deleteHalf(Path file) throws IOException {
        if (Files.isRegularFile(file)) {
            Files.delete(file);
        }
    }
}
