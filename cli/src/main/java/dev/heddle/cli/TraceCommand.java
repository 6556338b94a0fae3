package dev.heddle.cli;

import dev.heddle.client.JvmConnection;
import dev.heddle.internal.observe.TraceAnswer;
import dev.heddle.internal.settings.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `heddle trace PID`: records every scheduling decision of a running JVM for some seconds.
@Command(
        name = "trace",
        description = {
            "Records every scheduling decision of a running JVM.",
            "The recording is one file. Nothing has to be prepared in the JVM, and nothing stays behind in it."
        },
        customSynopsis = {
            "heddle trace PID [--seconds SECONDS] [--stacks every:N] [-o FILE]",
            "       heddle trace PID --flight [-o FILE]"
        },
        footer = {
            "%nExamples:",
            "  heddle trace 4711                       records 5 seconds to heddle-4711.trace",
            "  heddle trace 4711 --seconds 1 -o a.trace",
            "  heddle trace 4711 --stacks every:10     with the stacks of one in ten waiting goroutines",
            "  heddle trace 4711 --flight              the last seconds, if it runs with -Dheddle.flight=10s",
            "  heddle run --trace a.trace Hello.java   records a program from start to end"
        })
final class TraceCommand implements Callable<Integer> {

    private static final double LONGEST_SECONDS = 3600;
    private static final int MILLIS_PER_SECOND = 1000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", arity = "0..1", paramLabel = WatchOptions.PID, description = WatchOptions.PID_DESCRIPTION)
    private @Nullable Long pid;

    @Option(names = "--seconds", paramLabel = "SECONDS", description = "How long to record; 5 unless set.")
    private double seconds = 5;

    @Option(
            names = "--flight",
            description = "Does not record, but takes the last seconds from the flight recorder (-Dheddle.flight=10s).")
    private boolean flight;

    @Option(
            names = "--stacks",
            paramLabel = "every:N",
            description = "Records where goroutines wait: one of N parks with its stack, on average.")
    private @Nullable String stacks;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "The file to write; heddle-PID.trace unless set.")
    private @Nullable Path output;

    @Override
    public Integer call() throws IOException {
        if (pid == null) {
            throw new ParameterException(spec.commandLine(), "say which process to record");
        }
        if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--seconds %s is refused: it must be more than 0 and at most 3600".formatted(seconds));
        }
        if (stacks != null && (flight || !Settings.isStacks(stacks))) {
            throw new ParameterException(
                    spec.commandLine(),
                    flight
                            ? "--flight takes what has been recorded: start the program with -D%s=%s to have stacks"
                                    .formatted(Settings.STACKS, stacks)
                            : "--stacks %s is refused: it must be every:N, such as every:10".formatted(stacks));
        }
        Path file = output == null ? Path.of("heddle-" + pid + ".trace") : output;
        try (JvmConnection watched = JvmConnection.attach(pid)) {
            TraceAnswer answer = flight
                    ? watched.flight()
                    : watched.trace(Duration.ofMillis(Math.max(1, (long) (seconds * MILLIS_PER_SECOND))), stacks);
            copy(Path.of(answer.file()), file);
            report(watched.pid(), file, answer.dropped());
        }
        return 0;
    }

    private static void copy(Path recorded, Path file) throws IOException {
        if (!Files.isReadable(recorded)) {
            throw new IOException("the trace " + recorded + " cannot be read from here: run heddle as the same user.");
        }
        try {
            Files.copy(recorded, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new IOException("the trace cannot be written to " + file + ": name another file by -o.", e);
        }
    }

    private void report(long from, Path file, long dropped) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.println("process %d: %s, %d bytes%s"
                .formatted(
                        from,
                        file,
                        Files.size(file),
                        dropped == 0 ? "" : "; it lacks " + dropped + " events, because memory was short"));
        out.flush();
    }
}
