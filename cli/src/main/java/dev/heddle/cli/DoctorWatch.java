package dev.heddle.cli;

import dev.heddle.client.JvmConnection;
import dev.heddle.doctor.DoctorRounds;
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

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private final JvmConnection jvm;
    private final boolean json;
    private final PrintWriter out;
    private final DoctorRounds rounds;
    private boolean hasFound;

    DoctorWatch(JvmConnection jvm, Duration window, boolean json, PrintWriter out) {
        this.jvm = jvm;
        this.rounds = new DoctorRounds(window);
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
            List<FindingLog.Change> changes;
            try {
                changes = rounds.examine(jvm);
            } catch (IOException e) {
                if (!hasEnded()) {
                    throw e;
                }
                end();
                break;
            }
            changes.forEach(this::print);
            out.flush();
            Thread.sleep(rounds.pause());
        }
        return hasFound;
    }

    private void print(FindingLog.Change change) {
        if (change.isNew()) {
            hasFound = true;
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
}
