package dev.heddle.internal.kernel;

import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Access;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Runs a main class of the tests in a JVM of its own. Only the JDK, Heddle and the test classes are on its class path.
final class ChildJvm {

    private final Class<?> main;
    private final List<String> arguments;
    private final List<String> options = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private String java =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private int seconds = 120;

    /// What became of it.
    record Result(int exitCode, String out, String err) {
        @Override
        public String toString() {
            return "exit code " + exitCode + "\n--- out\n" + out + "--- err\n" + err;
        }
    }

    private ChildJvm(Class<?> main, String... arguments) {
        this.main = main;
        this.arguments = List.of(arguments);
    }

    /// With the flags that Heddle asks for.
    static ChildJvm of(Class<?> main, String... arguments) {
        return new ChildJvm(main, arguments).option(Access.flags().split(" "));
    }

    static ChildJvm withoutFlags(Class<?> main, String... arguments) {
        return new ChildJvm(main, arguments);
    }

    ChildJvm option(String... flags) {
        options.addAll(List.of(flags));
        return this;
    }

    ChildJvm environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    ChildJvm java(Path command) {
        java = command.toString();
        return this;
    }

    /// After so many seconds it is killed, and the test fails.
    ChildJvm timeLimit(int limit) {
        seconds = limit;
        return this;
    }

    Result run() throws InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(java);
        command.addAll(options);
        command.add("-cp");
        command.add(home(main) + File.pathSeparator + home(Scheduler.class));
        command.add(main.getName());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(it -> it.startsWith("HEDDLE_") || it.equals("GOMAXPROCS"));
        builder.environment().putAll(environment);
        try {
            Path out = Files.createTempFile("heddle-child", ".out");
            Path err = Files.createTempFile("heddle-child", ".err");
            try {
                Process process = builder.redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
                process.getOutputStream().close();
                boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
                if (!ended) {
                    kill(process);
                }
                Result result = new Result(process.exitValue(), Files.readString(out), Files.readString(err));
                if (!ended) {
                    throw new AssertionError("killed after " + seconds + " s: " + main.getName() + "\n" + result);
                }
                return result;
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Has the stacks of its threads printed first.
    private static void kill(Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid()))
                .start()
                .waitFor();
        process.waitFor(2, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
    }

    /// Runs it, and fails unless it ends with exit code 0. Returns what it printed to standard output.
    String succeed() throws InterruptedException {
        Result result = run();
        if (result.exitCode() != 0) {
            throw new AssertionError(main.getName() + ": " + result);
        }
        return result.out();
    }

    private static Path home(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
