package dev.heddle.internal.kernel;

import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Access;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A JVM of its own that runs a main class of the tests while the test talks to it by lines.
final class LiveJvm implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 120;

    private final Process process;
    private final Path err;
    private final BufferedReader out;
    private final BufferedWriter in;

    private LiveJvm(Process process, Path err) {
        this.process = process;
        this.err = err;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.in = process.outputWriter(StandardCharsets.UTF_8);
    }

    static LiveJvm start(List<String> options, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Collections.addAll(command, Access.flags().split(" "));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", home(main) + File.pathSeparator + home(Scheduler.class), main.getName()));
        Collections.addAll(command, arguments);
        Path err = Files.createTempFile("heddle-child", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
        builder.environment().keySet().removeAll(List.of("GOMAXPROCS", "HEDDLE_DEBUG", "JAVA_TOOL_OPTIONS"));
        return new LiveJvm(builder.start(), err);
    }

    private static Path home(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    void send(String line) throws IOException {
        in.write(line);
        in.newLine();
        in.flush();
    }

    /// The next line of its standard output. A child that says nothing is killed, having printed its threads.
    String readLine() throws IOException, InterruptedException {
        Thread watchdog = Thread.ofPlatform().daemon().start(() -> {
            try {
                TimeUnit.SECONDS.sleep(PATIENCE_SECONDS);
                signal("QUIT");
                TimeUnit.SECONDS.sleep(2);
                process.destroyForcibly();
            } catch (InterruptedException | IOException _) {
                // it answered
            }
        });
        try {
            String line = out.readLine();
            if (line == null) {
                process.waitFor();
                throw new AssertionError("the child ended with " + process.exitValue() + ": " + err());
            }
            return line;
        } finally {
            watchdog.interrupt();
        }
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    /// Waits for its end; returns its exit status.
    int waitFor() throws InterruptedException, IOException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            signal("QUIT");
            process.waitFor(2, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
            throw new AssertionError("the child did not end: " + out.lines().toList() + err());
        }
        return process.exitValue();
    }

    /// What it has printed to its standard error.
    String err() throws IOException {
        return Files.readString(err);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        Files.deleteIfExists(err);
    }
}
