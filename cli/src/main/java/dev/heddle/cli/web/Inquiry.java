package dev.heddle.cli.web;

import dev.heddle.client.JvmConnection;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A thread that asks the observed JVM again and again while there are [Viewers], over a connection of its own. It
/// closes the connection when the last viewer has left.
final class Inquiry implements AutoCloseable {

    private static final Duration AFTER_A_FAILURE = Duration.ofSeconds(1);

    /// One round of questions.
    interface Round {
        /// Returns the pause after it.
        Duration ask(JvmConnection jvm) throws IOException, InterruptedException;
    }

    private final long pid;
    private final Viewers viewers;
    private final Round round;
    private final Thread thread;
    private volatile @Nullable String problem;

    Inquiry(String name, long pid, Viewers viewers, Round round) {
        this.pid = pid;
        this.viewers = viewers;
        this.round = round;
        this.thread = Thread.ofPlatform().daemon().name("heddle-web-" + name).start(this::run);
    }

    /// Why the last round failed, in one sentence; null if it did not.
    @Nullable
    String problem() {
        return problem;
    }

    private void run() {
        try {
            while (viewers.awaitAny()) {
                try (JvmConnection jvm = JvmConnection.attach(pid)) {
                    while (viewers.isAny()) {
                        Duration pause = round.ask(jvm);
                        problem = null;
                        viewers.pause(pause);
                    }
                } catch (IOException e) {
                    problem = String.valueOf(e.getMessage());
                    viewers.pause(AFTER_A_FAILURE);
                } catch (RuntimeException e) {
                    problem = "heddle web has a bug, and shows less than it should: " + e;
                    viewers.pause(AFTER_A_FAILURE);
                }
            }
        } catch (InterruptedException _) {
            // closed
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
