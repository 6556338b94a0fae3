package dev.heddle.cli;

import dev.heddle.client.JvmConnection;
import dev.heddle.internal.wire.Json;
import dev.heddle.stats.SchedulerSnapshot;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `heddle ps`: the JVMs that run Heddle.
@Command(
        name = "ps",
        description = {
            "Lists the JVMs that run Heddle and that this user may observe: all for root, otherwise the user's own.",
            "With an installed scheduler, the goroutines are all virtual threads of the JVM."
        },
        customSynopsis = "heddle ps [--json]")
final class PsCommand implements Callable<Integer> {

    /// How the JVM calls the program that compiles and runs a source file; the file is its first argument.
    private static final String SOURCE_LAUNCHER = "SourceLauncher";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    /// A JVM. Public because it is written as JSON.
    ///
    /// @param pid        its process
    /// @param program    its main class, jar or source file
    /// @param procs      processors of all its schedulers
    /// @param goroutines live goroutines and virtual threads of all its schedulers
    /// @param upSeconds  how long it has been running
    /// @param schedulers the names of its schedulers
    public record Row(long pid, String program, int procs, long goroutines, long upSeconds, List<String> schedulers) {}

    @Override
    public Integer call() throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        PrintWriter err = spec.commandLine().getErr();
        try (ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Row>> answers = new ArrayList<>();
            for (long pid : JvmConnection.candidates()) {
                answers.add(asking.submit(() -> ask(pid)));
            }
            for (Future<Row> answer : answers) {
                try {
                    rows.add(answer.get());
                } catch (ExecutionException e) {
                    err.println(
                            "heddle: " + Objects.requireNonNull(e.getCause()).getMessage());
                }
            }
        }
        err.flush();
        print(rows);
        return 0;
    }

    private static Row ask(long pid) throws IOException {
        try (JvmConnection jvm = JvmConnection.attach(pid)) {
            List<SchedulerSnapshot> schedulers = jvm.snapshots();
            return new Row(
                    jvm.pid(),
                    program(jvm.command()),
                    schedulers.stream().mapToInt(it -> it.stats().procs()).sum(),
                    schedulers.stream().mapToLong(it -> it.stats().live()).sum(),
                    jvm.age().toSeconds(),
                    schedulers.stream().map(SchedulerSnapshot::name).toList());
        }
    }

    /// What people call the program.
    ///
    /// @param command its main class, jar or module, and its arguments
    static String program(String command) {
        String[] words = command.split(" ", -1);
        String program = words[0].endsWith(SOURCE_LAUNCHER) && words.length > 1 ? words[1] : words[0];
        boolean isFile = program.endsWith(".jar") || program.endsWith(".java");
        return isFile ? String.valueOf(Path.of(program).getFileName()) : program;
    }

    private void print(List<Row> rows) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(rows));
        } else if (rows.isEmpty()) {
            out.println("no JVM that runs Heddle was found");
        } else {
            out.println(line("PID", "PROCS", "GOROUTINES", "UP", "PROGRAM", "SCHEDULERS"));
            for (Row row : rows) {
                out.println(line(
                        row.pid,
                        row.procs,
                        row.goroutines,
                        up(row.upSeconds),
                        row.program,
                        String.join(",", row.schedulers)));
            }
        }
        out.flush();
    }

    private static String line(Object... columns) {
        return String.format(Locale.ROOT, "%7s %5s %10s %8s  %-32s %s", columns);
    }

    private static String up(long seconds) {
        if (seconds < 60) {
            return seconds + "s";
        }
        return seconds < 3600
                ? seconds / 60 + "m" + seconds % 60 + "s"
                : seconds / 3600 + "h" + seconds % 3600 / 60 + "m";
    }
}
