package dev.heddle.cli;

import dev.heddle.client.JvmConnection;
import dev.heddle.doctor.Diagnosis;
import dev.heddle.doctor.DoctorSession;
import dev.heddle.doctor.FindingEvents;
import dev.heddle.doctor.RecordedFinding;
import dev.heddle.doctor.RecordedReport;
import dev.heddle.doctor.RecordingDoctor;
import dev.heddle.doctor.Report;
import dev.heddle.trace.Recording;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `heddle doctor PID`: observes the schedulers of a running JVM for some seconds, and reports problems and their
/// causes.
@Command(
        name = "doctor",
        description = {
            "Names what keeps the goroutines of a JVM from running well.",
            "It watches a running JVM for some seconds, and prints the cause, the evidence, the stack to look at and "
                    + "what to do. See docs/doctor.md."
        },
        customSynopsis = {
            "heddle doctor PID [--watch] [--seconds N] [--json] [--exit-code]",
            "       heddle doctor --trace FILE [--json] [--exit-code]"
        },
        footer = {
            "%nExamples:",
            "  heddle doctor 4711                      watches for 5 s and reports",
            "  heddle doctor 4711 --seconds 30 --json  watches longer, for programs",
            "  heddle doctor 4711 --exit-code          tells a script whether it found any",
            "  heddle doctor 4711 --watch              stays, and prints findings as they come",
            "  heddle doctor --trace a.trace           what a recording of 'heddle trace' proves"
        })
final class DoctorCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "0..1", paramLabel = WatchOptions.PID, description = WatchOptions.PID_DESCRIPTION)
    private @Nullable Long process;

    @Option(names = "--trace", paramLabel = TraceFiles.FILE, description = "Examines a recording instead of a process.")
    private @Nullable Path trace;

    @Option(names = "--seconds", paramLabel = "N", description = "How long to watch; 5 unless set.")
    private int seconds = 5;

    @Option(names = "--json", description = "Prints JSON; with --watch one object a line.")
    private boolean json;

    @Option(names = "--exit-code", description = "Ends with exit code 3 if it found a problem.")
    private boolean exitCode;

    @Option(
            names = "--watch",
            description = "Stays, and prints each finding when it comes and when it has gone; --seconds is each look.")
    private boolean watch;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (seconds < 1) {
            throw new ParameterException(spec.commandLine(), "--seconds must be at least 1, not " + seconds);
        }
        if (trace != null) {
            if (process != null || watch) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--trace is about a file: leave %s away".formatted(watch ? "--watch" : "PID"));
            }
            return exitCode(examine(trace));
        }
        if (process == null) {
            throw new ParameterException(
                    spec.commandLine(), WatchOptions.PID + " is missing" + UsageErrors.PROCESSES_HINT);
        }
        long pid = process;
        if (watch) {
            return exitCode(watch(pid));
        }
        List<Diagnosis> diagnoses;
        try (JvmConnection jvm = JvmConnection.attach(pid)) {
            diagnoses = Diagnosis.of(List.of(DoctorSession.of(jvm, Duration.ofSeconds(seconds))));
            FindingEvents.tell(jvm, diagnoses);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Report.json(diagnoses));
        } else {
            Report.text("process " + pid, diagnoses).forEach(out::println);
        }
        out.flush();
        return exitCode(diagnoses.stream().anyMatch(it -> !it.findings().isEmpty()));
    }

    /// Whether it found a problem before the process ended.
    private boolean watch(long pid) throws IOException, InterruptedException {
        try (JvmConnection jvm = JvmConnection.attach(pid)) {
            PrintWriter out = spec.commandLine().getOut();
            return new DoctorWatch(jvm, Duration.ofSeconds(seconds), json, out).run();
        }
    }

    /// Whether a recording proves a problem.
    private boolean examine(Path file) throws IOException {
        Recording recording = TraceFiles.open(file, spec);
        List<RecordedFinding> findings = TraceFiles.read(file, () -> RecordingDoctor.examine(recording));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(RecordedReport.json(recording, findings));
        } else {
            RecordedReport.text(recording, findings).forEach(out::println);
        }
        out.flush();
        return !findings.isEmpty();
    }

    private int exitCode(boolean found) {
        return exitCode && found ? ExitCode.FOUND : 0;
    }
}
