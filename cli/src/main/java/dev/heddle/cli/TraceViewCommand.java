package dev.heddle.cli;

import dev.heddle.trace.Recording;
import dev.heddle.trace.page.TracePage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `heddle trace view FILE`: writes the page of a recording, and opens it.
@Command(
        name = "view",
        description = {
            "Shows a recording: timeline, goroutines, why they waited, and the scheduler step by step.",
            "The page is one HTML file that needs nothing else. It is written beside the recording."
        },
        customSynopsis = "heddle trace view FILE [-o OUT] [--no-open]",
        footer = {
            "%nExamples:",
            "  heddle trace view a.trace                 writes a.trace.html, and opens it in the browser",
            "  heddle trace view a.trace -o a.html --no-open"
        })
final class TraceViewCommand implements Callable<Integer> {

    /// The programs that open a page, the desktop's own first.
    private static final List<String> OPENERS = List.of("xdg-open", "open");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RecordingArgument file = new RecordingArgument();

    @Mixin
    private OutputOption output = new OutputOption();

    @Option(names = "--no-open", description = "Does not open the page in a browser.")
    private boolean noOpen;

    @Override
    public Integer call() throws IOException {
        Recording recording = file.open();
        Path page = output.write(file.file(), ".html", out -> TracePage.write(recording, out));
        PrintWriter out = spec.commandLine().getOut();
        out.println(page.toAbsolutePath());
        out.flush();
        if (!noOpen && hasDesktop()) {
            open(page);
        }
        return 0;
    }

    /// A browser needs a screen.
    private static boolean hasDesktop() {
        return System.getenv("DISPLAY") != null || System.getenv("WAYLAND_DISPLAY") != null;
    }

    private static void open(Path page) throws IOException {
        for (String opener : OPENERS) {
            for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
                Path program = Path.of(folder, opener);
                if (Files.isExecutable(program)) {
                    new ProcessBuilder(program.toString(), page.toUri().toString())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
                    return;
                }
            }
        }
    }
}
