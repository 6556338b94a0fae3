package dev.heddle.cli;

import dev.heddle.doctor.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `heddle bugs`: the ten bugs of "Work Stealing: Find the Bug" and ten more from Java, as running programs, broken and
/// then fixed.
@Command(
        name = "bugs",
        description = {
            "Lists ten classic bugs of programs with goroutines and ten of plain virtual threads, or runs one.",
            "It runs the program broken and then fixed, each with its figures and what the doctor says of it."
        },
        customSynopsis = "heddle bugs [NUMBER [--broken | --fixed] [--seconds N]]")
final class BugsCommand implements Callable<Integer> {

    private static final String HEAP = "-Xmx512m"; // the same on every machine

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "0..1", paramLabel = "NUMBER", description = "Which bug, 1 to 20.")
    private @Nullable Integer number;

    @ArgGroup
    private @Nullable Form form;

    @Option(names = "--seconds", paramLabel = "N", description = "How long each form runs; 5 unless set.")
    private int seconds = 5;

    /// At most one of the two options.
    private static final class Form {
        @Option(names = "--broken", description = "Only the program with the bug.")
        private boolean broken;

        @Option(names = "--fixed", description = "Only the program without it.")
        private boolean fixed;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (number == null) {
            for (Bug bug : Bug.values()) {
                out.printf("%2d  %-72s %s%n", bug.number(), bug.title(), bug.path());
            }
            out.flush();
            return 0;
        }
        if (seconds < 1) {
            throw new ParameterException(spec.commandLine(), "--seconds must be at least 1, not " + seconds);
        }
        Bug bug = bugNumbered(number);
        out.printf("bug %d: %s (%s)%n", bug.number(), bug.title(), bug.path());
        int exitCode = 0;
        if (form == null || form.broken) {
            exitCode = run(bug, "broken", out);
        }
        if (exitCode == 0 && (form == null || form.fixed)) {
            exitCode = run(bug, "fixed", out);
        }
        return exitCode;
    }

    private Bug bugNumbered(int wanted) {
        try {
            return Bug.numbered(wanted);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private int run(Bug bug, String mode, PrintWriter out) throws IOException, InterruptedException {
        out.flush();
        try (RecordedRun recorded = RecordedRun.create()) {
            JavaCommand java = JavaCommand.parse(List.of(
                    HEAP,
                    "-Dseconds=" + seconds,
                    recorded.jvmOption(),
                    "-Dheddle.record.millis=" + (seconds * 1_000L - 500), // one window, written before the end
                    bug.source().toString(),
                    mode));
            int exitCode = ForegroundProcess.run(java.toCommandLine(HeddleJar.locate()));
            Report.text("doctor", recorded.diagnoses()).forEach(it -> out.println("  " + it));
            out.flush();
            return exitCode;
        }
    }
}
