package dev.heddle.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The process of a peer, seen from the caller. It starts at the first request, and again after it has ended.
final class PeerProcess implements AutoCloseable {

    private static final String END = "\0end";

    /// Answers a question that a peer asks during a run.
    @FunctionalInterface
    interface Helper {
        String answer(String question) throws InterruptedException;
    }

    private final Peer peer;
    private @Nullable Running running;

    PeerProcess(Peer peer) {
        this.peer = peer;
    }

    /// Runs a program and waits for its figures. A peer that does not answer in time is killed.
    Answer run(String request, Duration patience, Helper helper) throws InterruptedException {
        Running process = running;
        if (process == null) {
            try {
                process = new Running(peer);
            } catch (IOException e) {
                return new Answer.Failed("it cannot be started: " + e.getMessage());
            }
            running = process;
        }
        String line = process.say(request) ? process.await(patience) : END;
        while (line != null && line.startsWith("ask ")) {
            process.say(helper.answer(line.substring("ask ".length())));
            line = process.await(patience);
        }
        if (line == null || line.equals(END)) {
            close();
            return new Answer.Failed(
                    line == null ? "no answer in " + patience.toSeconds() + " s" : "its process ended during the run");
        }
        return Answer.parse(line);
    }

    @Override
    public void close() {
        if (running != null) {
            running.process.destroyForcibly();
            running = null;
        }
    }

    private static final class Running {
        private final Process process;
        private final BufferedWriter requests;
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        Running(Peer peer) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(peer.command()).redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().putAll(peer.environment());
            process = builder.start();
            requests = process.outputWriter(StandardCharsets.UTF_8);
            Thread.ofPlatform().daemon().name("answers of " + peer.name()).start(this::read);
        }

        private void read() {
            try (BufferedReader answers = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                    lines.add(line);
                }
            } catch (IOException | UncheckedIOException _) {
                // the process was killed: treated as the end of its output
            }
            lines.add(END);
        }

        boolean say(String line) {
            try {
                requests.write(line);
                requests.newLine();
                requests.flush();
                return true;
            } catch (IOException _) {
                return false; // it has ended, which the reader notices too
            }
        }

        @Nullable
        String await(Duration patience) throws InterruptedException {
            return lines.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        }
    }
}
