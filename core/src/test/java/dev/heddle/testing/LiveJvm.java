package dev.heddle.testing;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A second JVM that a test talks to by lines while it runs: see [ChildJvm#start()].
public final class LiveJvm implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 120;

    private final ChildJvm child;
    private final Path err;
    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;

    LiveJvm(ChildJvm child) throws IOException {
        this.child = child;
        this.err = Files.createTempFile("heddle-child", ".err");
        this.process = child.toProcess().redirectError(err.toFile()).start();
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.in = process.outputWriter(StandardCharsets.UTF_8);
    }

    public long pid() {
        return process.pid();
    }

    /// Writes a line to its standard input.
    public void send(String line) throws IOException {
        in.write(line);
        in.newLine();
        in.flush();
    }

    /// Sends a line and returns the next line of its standard output.
    public String ask(String line) throws IOException, InterruptedException {
        send(line);
        return readLine();
    }

    /// Ends its standard input.
    public void closeInput() throws IOException {
        in.close();
    }

    /// The next line of its standard output. A child that says nothing is killed, having printed its threads.
    public String readLine() throws IOException, InterruptedException {
        Thread watchdog = Thread.ofPlatform().daemon().start(() -> {
            try {
                TimeUnit.SECONDS.sleep(PATIENCE_SECONDS);
                ChildJvm.printThreadsAndKill(process);
            } catch (InterruptedException | IOException _) {
                // it answered
            }
        });
        try {
            String line = out.readLine();
            if (line == null) {
                process.waitFor();
                throw new AssertionError(child + " ended with " + process.exitValue() + ": " + err());
            }
            return line;
        } finally {
            watchdog.interrupt();
        }
    }

    public void signal(String name) throws IOException, InterruptedException {
        ChildJvm.signal(process, name);
    }

    /// Waits for its end; returns its exit status.
    public int waitFor() throws InterruptedException, IOException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            ChildJvm.printThreadsAndKill(process);
            throw new AssertionError(child + " did not end: " + remainingLines() + err());
        }
        return process.exitValue();
    }

    /// The rest of its standard output. Waits until that ends.
    public List<String> remainingLines() {
        return out.lines().toList();
    }

    /// What it has printed to its standard error.
    public String err() throws IOException {
        return Files.readString(err);
    }

    /// Kills it at once and waits for its end.
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        kill();
        Files.deleteIfExists(err);
    }
}
