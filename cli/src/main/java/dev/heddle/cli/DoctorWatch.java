package dev.heddle.cli;

import dev.heddle.client.JvmConnection;
import dev.heddle.doctor.Diagnosis;
import dev.heddle.doctor.DoctorSession;
import dev.heddle.doctor.FindingEvents;
import dev.heddle.doctor.FindingLog;
import dev.heddle.doctor.Report;
import dev.heddle.internal.wire.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Examines a JVM again and again, and prints what changes, until the JVM ends.
final class DoctorWatch {

    /// Pause after each examination, as a multiple of the CPU time that it took in this process. So the
    /// examinations take one CPU for at most a hundredth of the time; the recording in the JVM limits itself in
    /// the same way.
    private static final int REST = 100;

    /// The first examinations run interpreted, and would demand a long pause.
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private final JvmConnection jvm;
    private final Duration window;
    private final boolean json;
    private final PrintWriter out;
    private final FindingLog log = new FindingLog();
    private boolean hasFound;

    DoctorWatch(JvmConnection jvm, Duration window, boolean json, PrintWriter out) {
        this.jvm = jvm;
        this.window = window;
        this.json = json;
        this.out = out;
    }

    /// Returns when the process has ended, or when the output cannot be written any more. Tells whether it has
    /// found anything.
    ///
    /// @throws IOException with one sentence, if the process is alive and does not answer
    boolean run() throws IOException, InterruptedException {
        if (!json) {
            say("watching process " + jvm.pid() + "; Ctrl-C ends it");
        }
        while (!out.checkError()) {
            List<Diagnosis> diagnoses;
            long cpuBefore = cpuNanos();
            try {
                diagnoses = Diagnosis.of(List.of(DoctorSession.of(jvm, window)));
            } catch (IOException e) {
                if (!hasEnded()) {
                    throw e;
                }
                end();
                break;
            }
            log.update(diagnoses).forEach(this::print);
            out.flush();
            long pause = Math.min(REST * (cpuNanos() - cpuBefore), LONGEST_PAUSE.toNanos()) - window.toNanos();
            TimeUnit.NANOSECONDS.sleep(pause); // none if the window was longer
        }
        return hasFound;
    }

    private void print(FindingLog.Change change) {
        if (change.isNew()) {
            hasFound = true;
            FindingEvents.tell(jvm, change.scheduler(), change.finding());
        }
        if (json) {
            Map<String, Object> line = event(change.isNew() ? "found" : "gone");
            line.put("scheduler", change.scheduler());
            line.putAll(Report.document(change.finding()));
            out.println(Json.of(line));
        } else if (change.isNew()) {
            say("scheduler " + change.scheduler() + ":");
            Report.text(List.of(change.finding())).forEach(out::println);
        } else {
            say("scheduler %s: %s has gone"
                    .formatted(change.scheduler(), change.finding().cause().key()));
        }
    }

    private void end() {
        if (json) {
            out.println(Json.of(event("ended")));
        } else {
            say("process " + jvm.pid() + " has ended.");
        }
        out.flush();
    }

    private void say(String text) {
        out.println(LocalTime.now(ZoneId.systemDefault()).format(TIME) + " " + text);
        out.flush();
    }

    private Map<String, Object> event(String name) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
        line.put("pid", jvm.pid());
        line.put("event", name);
        return line;
    }

    /// Waits a moment: the connection of a process that ends closes before the process is gone.
    private boolean hasEnded() throws InterruptedException {
        Optional<ProcessHandle> process = ProcessHandle.of(jvm.pid());
        try {
            if (process.isPresent()) {
                process.get().onExit().get(1, TimeUnit.SECONDS);
            }
            return true;
        } catch (TimeoutException | ExecutionException _) {
            return false;
        }
    }

    private static long cpuNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
    }
}
