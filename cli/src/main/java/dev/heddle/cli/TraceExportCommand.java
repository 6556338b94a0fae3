package dev.heddle.cli;

import dev.heddle.trace.Recording;
import dev.heddle.trace.export.GoExport;
import dev.heddle.trace.export.GoVersion;
import dev.heddle.trace.export.JsonExport;
import dev.heddle.trace.export.PerfettoExport;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `heddle trace export FILE`: a recording in the format of another tool.
@Command(
        name = "export",
        description = {
            "Writes a recording in the format of another tool.",
            "perfetto: for ui.perfetto.dev. go: for 'go tool trace'. json: a line for each event. See docs/trace.md."
        },
        customSynopsis = "heddle trace export --to perfetto|go|json FILE [-o OUT] [--go-version 22|26]",
        footer = {
            "%nExamples:",
            "  heddle trace export --to perfetto a.trace    writes a.trace.pftrace",
            "  heddle trace export --to go a.trace -o b.go  then: go tool trace b.go"
        })
final class TraceExportCommand implements Callable<Integer> {

    /// What is written, with the end of the file's name.
    private enum Format {
        perfetto(".pftrace"),
        go(".go.trace"),
        json(".jsonl");

        private final String suffix;

        Format(String suffix) {
            this.suffix = suffix;
        }
    }

    private static final int NEW_GO = 26;
    private static final int OLD_GO = 22;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RecordingArgument file = new RecordingArgument();

    @Mixin
    private OutputOption output = new OutputOption();

    @Option(names = "--to", required = true, paramLabel = "FORMAT", description = "perfetto, go or json.")
    private Format format = Format.perfetto;

    @Option(
            names = "--go-version",
            paramLabel = "N",
            description = "Go's format as of Go 1.N: 26 unless set, or 22 for tools of before Go 1.23.")
    private int goVersion = NEW_GO;

    @Override
    public Integer call() throws IOException {
        if (goVersion != NEW_GO && goVersion != OLD_GO) {
            throw new ParameterException(
                    spec.commandLine(), "--go-version must be %d or %d, not %d".formatted(OLD_GO, NEW_GO, goVersion));
        }
        Recording recording = file.open();
        Path to = output.write(file.file(), format.suffix, out -> export(recording, out));
        spec.commandLine()
                .getOut()
                .println("%s: %,d bytes for %s"
                        .formatted(to, Files.size(to), format.name().toLowerCase(Locale.ROOT)));
        spec.commandLine().getOut().flush();
        return 0;
    }

    private void export(Recording recording, OutputStream out) throws IOException {
        switch (format) {
            case perfetto -> PerfettoExport.write(recording, out);
            case go -> GoExport.write(recording, goVersion == OLD_GO ? GoVersion.GO_22 : GoVersion.GO_26, out);
            case json -> JsonExport.write(recording, out);
        }
    }
}
