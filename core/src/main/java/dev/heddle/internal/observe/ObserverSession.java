package dev.heddle.internal.observe;

import dev.heddle.internal.kernel.KernelThread;
import dev.heddle.internal.wire.Decoder;
import dev.heddle.internal.wire.Json;
import dev.heddle.internal.wire.JsonReader;
import dev.heddle.internal.wire.LineChannel;
import dev.heddle.internal.wire.Request;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// Answers one command, question by question.
///
/// ```
/// command:  {"heddle":1,"id":7,"ask":"names"}
/// JVM:      {"id":7,"item":"heddle"}
///           {"id":7,"item":"other"}
///           {"id":7,"done":true}
/// ```
///
/// A refused question is answered by `{"id":7,"error":"a sentence"}`. While a long answer is prepared,
/// `{"id":7}` says that the JVM is alive. A command that is too slow, or that sends anything but questions, is
/// disconnected. The session keeps at most one line of an answer in memory.
final class ObserverSession extends Thread implements KernelThread {

    /// How long a command may take to send a question, or to read a line of the answer.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final long BEAT_NANOS = 1_000_000_000;

    private final SocketChannel channel;
    private final boolean isWelcome;
    private final AtomicInteger sessions;

    /// @param sessions the number of sessions, this one included
    ObserverSession(SocketChannel channel, boolean isWelcome, AtomicInteger sessions) {
        super(null, null, "heddle-observer-session", 0, /* inheritInheritableThreadLocals= */ false);
        this.channel = channel;
        this.isWelcome = isWelcome;
        this.sessions = sessions;
        setDaemon(true);
    }

    @Override
    public void run() {
        try (LineChannel lines = new LineChannel(channel);
                Answers answers = new Answers()) {
            boolean goesOn = true;
            while (goesOn) {
                lines.awaitInput();
                String line = lines.readLine(Request.MAX_BYTES, PATIENCE);
                goesOn = line != null && answer(line, lines, answers);
            }
        } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError _) {
            // the command has gone or misbehaves, or memory is short: the command notices that the connection ends
        } finally {
            sessions.decrementAndGet();
        }
    }

    /// Returns whether another question may follow.
    private boolean answer(String line, LineChannel lines, Answers answers) throws IOException {
        Request request = Decoder.decode(Request.class, JsonReader.read(line));
        Conversation conversation = new Conversation(request.id(), lines);
        if (!isWelcome) {
            conversation.refuse(
                    "it already answers %d commands: end one of them".formatted(ObserverThread.MAX_SESSIONS));
            return false;
        }
        if (request.heddle() != Request.PROTOCOL) {
            conversation.refuse("it speaks version %d of Heddle's protocol, and this command version %d: use the"
                            .formatted(Request.PROTOCOL, request.heddle())
                    + " command of its version of Heddle");
            return false;
        }
        try {
            answers.answer(request, conversation);
            conversation.finish();
        } catch (IllegalArgumentException | IllegalStateException e) {
            conversation.refuse(String.valueOf(e.getMessage()));
        }
        return true;
    }

    /// The lines of one answer.
    private static final class Conversation implements Answers.Listener {
        private final long id;
        private final LineChannel lines;
        private long lastLine = System.nanoTime();

        Conversation(long id, LineChannel lines) {
            this.id = id;
            this.lines = lines;
        }

        @Override
        public void item(String json) throws IOException {
            write("{\"id\":" + id + ",\"item\":" + json + "}");
        }

        @Override
        public boolean isGone() {
            try {
                if (System.nanoTime() - lastLine > BEAT_NANOS) {
                    write("{\"id\":" + id + "}");
                }
                return lines.isClosedByPeer();
            } catch (IOException _) {
                return true;
            }
        }

        void finish() throws IOException {
            write("{\"id\":" + id + ",\"done\":true}");
        }

        void refuse(String sentence) throws IOException {
            write(Json.compact(Map.of("id", id, "error", sentence)));
        }

        private void write(String line) throws IOException {
            lines.writeLine(line, PATIENCE);
            lastLine = System.nanoTime();
        }
    }
}
