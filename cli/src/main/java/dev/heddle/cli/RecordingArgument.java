package dev.heddle.cli;

import dev.heddle.trace.Recording;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The recording that a command reads, as its only argument.
final class RecordingArgument {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(paramLabel = TraceFiles.FILE, description = TraceFiles.DESCRIPTION)
    private Path file = Path.of("");

    Path file() {
        return file;
    }

    /// Opens it, and says on standard error what is missing in it.
    Recording open() throws IOException {
        return TraceFiles.open(file, command);
    }
}
