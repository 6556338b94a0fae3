package dev.heddle.cli;

import dev.heddle.trace.Recording;
import dev.heddle.trace.analysis.Summary;
import dev.heddle.trace.analysis.SummaryJson;
import dev.heddle.trace.analysis.SummaryText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `heddle trace summary FILE`: a recording on one page of text.
@Command(
        name = "summary",
        description = {
            "Sums a recording up on one page.",
            "Totals by state and reason, latencies, processors and steals, goroutines by body, and the longest waits for "
                    + "a processor with their causes. See docs/trace.md."
        },
        customSynopsis = "heddle trace summary FILE [--json] [--waits N]",
        footer = {
            "%nExamples:",
            "  heddle trace summary a.trace",
            "  heddle trace summary a.trace --json | jq '.longestWaits[0].verdict'"
        })
final class TraceSummaryCommand implements Callable<Integer> {

    private static final int MOST_WAITS = 1_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RecordingArgument file = new RecordingArgument();

    @Option(names = "--json", description = "Prints JSON; times are nanoseconds.")
    private boolean json;

    @Option(
            names = "--waits",
            paramLabel = "N",
            description = "How many of the longest waits are explained; 10 unless set.")
    private int waits = 10;

    @Override
    public Integer call() throws IOException {
        if (waits < 0 || waits > MOST_WAITS) {
            throw new ParameterException(
                    spec.commandLine(), "--waits must be between 0 and %d, not %d".formatted(MOST_WAITS, waits));
        }
        Recording recording = file.open();
        Summary summary = TraceFiles.read(file.file(), () -> Summary.of(recording, waits));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.print(SummaryJson.of(summary));
        } else {
            SummaryText.of(summary).forEach(out::println);
        }
        out.flush();
        return 0;
    }
}
