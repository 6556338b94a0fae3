package dev.heddle.client;

import dev.heddle.internal.observe.Hello;
import dev.heddle.internal.observe.JvmFigures;
import dev.heddle.internal.observe.RecordingLine;
import dev.heddle.internal.observe.RecordingReader;
import dev.heddle.internal.observe.SampleWindow;
import dev.heddle.internal.observe.TraceAnswer;
import dev.heddle.internal.wire.Decoder;
import dev.heddle.internal.wire.FoundCause;
import dev.heddle.internal.wire.Json;
import dev.heddle.internal.wire.JsonReader;
import dev.heddle.internal.wire.LineChannel;
import dev.heddle.internal.wire.Request;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.SchedulerSnapshot;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A connection to a running JVM that uses Heddle, with typed answers.
///
/// The JVM opens a Unix-domain socket when it is asked to, and answers in lines of JSON. No agent is loaded into it and
/// nothing is printed by it. Every failure becomes an [IOException] whose message is one sentence for the user. For one
/// thread.
public final class JvmConnection implements AutoCloseable {

    /// How long a JVM may say nothing. While it prepares a long answer, it says every second that it is alive.
    private static final Duration PATIENCE = Duration.ofSeconds(9);

    /// The JVM is stopped while it writes its heap to a file.
    private static final Duration PATIENCE_FOR_HEAP = Duration.ofMinutes(10);

    /// While it records, the process says every second that it is alive; the end may take a while under load.
    private static final Duration PATIENCE_FOR_TRACE = Duration.ofMinutes(1);

    /// Longer recordings are made in several steps.
    private static final Duration RECORD_STEP = Duration.ofSeconds(10);

    private static final Duration LAST_MOMENTS = Duration.ofSeconds(1);

    private final TargetProcess process;
    private final LineChannel lines;
    private final Hello hello;
    private long lastId;

    private JvmConnection(TargetProcess process, Duration limit) throws IOException {
        this.process = process;
        this.lines = SocketOpener.open(process, limit);
        try {
            this.hello = one(Hello.class, ask(Request.of(Request.HELLO)));
        } catch (IOException e) {
            lines.close();
            throw e;
        }
    }

    /// Connects to a process of this host, or to the one JVM with Heddle among the processes that it started.
    ///
    /// @throws IOException with one sentence, if the process has no Heddle scheduler or cannot be queried
    public static JvmConnection attach(long pid) throws IOException {
        StaleSockets.delete();
        TargetProcess program = ProgramFinder.find(pid);
        return new JvmConnection(program, PATIENCE);
    }

    /// The processes that run Heddle and that this user may observe, ordered by number.
    public static List<Long> candidates() {
        StaleSockets.delete();
        return TargetProcess.all()
                .filter(TargetProcess::isOpenToUs)
                .filter(ProgramFinder::hasHeddle)
                .map(TargetProcess::pid)
                .sorted()
                .toList();
    }

    /// The process that answers. It need not be the one that was named: see [#attach].
    public long pid() {
        return process.pid();
    }

    /// The program and its arguments, as the JVM was started.
    public String command() {
        return hello.command();
    }

    /// How long the process has been running.
    public Duration age() {
        return process.age();
    }

    /// The names of its schedulers, the JVM's default first.
    public List<String> names() throws IOException {
        return all(String.class, ask(Request.of(Request.NAMES)));
    }

    /// The scheduler of that name, or the first one if the name is null.
    ///
    /// @throws IOException with one sentence, if there is none of that name
    public String nameOf(@Nullable String name) throws IOException {
        List<String> names = names();
        if (name != null && names.contains(name)) {
            return name;
        }
        if (name == null && !names.isEmpty()) {
            return names.getFirst();
        }
        throw new IOException(
                names.isEmpty()
                        ? who() + " has no scheduler any more."
                        : who() + " has no scheduler '" + name + "'; it has " + String.join(", ", names) + ".");
    }

    public List<SchedulerSnapshot> snapshots() throws IOException {
        return all(SchedulerSnapshot.class, ask(Request.of(Request.SNAPSHOTS)));
    }

    /// @throws IOException with one sentence, if there is no scheduler of that name
    public SchedulerSnapshot snapshot(String scheduler) throws IOException {
        return one(SchedulerSnapshot.class, ask(Request.of(Request.SNAPSHOT).withScheduler(scheduler)));
    }

    /// The goroutines of one scheduler that have begun: at most `limit`, with at most `frames` frames each.
    ///
    /// @throws IOException with one sentence, if there is no scheduler of that name
    public List<GoroutineStats> goroutines(String scheduler, int limit, int frames) throws IOException {
        RecordingReader reader = new RecordingReader();
        List<GoroutineStats> goroutines = new ArrayList<>();
        ask(Request.of(Request.GOROUTINES).withScheduler(scheduler).withLimits(limit, frames), PATIENCE, item -> {
            RecordingLine line = reader.line(item);
            if (line != null && line.dump() != null) {
                goroutines.addAll(line.dump().goroutines());
            }
        });
        return goroutines;
    }

    /// What the JVM uses: CPU time, heap, threads.
    public JvmFigures figures() throws IOException {
        return one(JvmFigures.class, ask(Request.of(Request.JVM)));
    }

    /// The debug settings, in the syntax of `HEDDLE_DEBUG`.
    public String debug() throws IOException {
        return one(String.class, ask(Request.of(Request.DEBUG)));
    }

    /// Changes the debug settings that are named; returns all of them.
    ///
    /// @throws IOException with one sentence, if a setting is refused
    public String changeDebug(String settings) throws IOException {
        return one(String.class, ask(Request.of(Request.DEBUG).withSettings(settings)));
    }

    /// Makes the JVM record all its schedulers. Returns the recordings, one after the other: each has a window
    /// for each scheduler.
    public List<List<SampleWindow>> record(Duration duration) throws IOException {
        List<List<SampleWindow>> recordings = new ArrayList<>();
        Duration left = duration;
        while (left.isPositive()) {
            Duration step = left.compareTo(RECORD_STEP) < 0 ? left : RECORD_STEP;
            RecordingReader reader = new RecordingReader();
            ask(Request.of(Request.RECORD).withMillis(step.toMillis()), PATIENCE, item -> {
                List<SampleWindow> recording = reader.read(item);
                if (recording != null) {
                    recordings.add(recording);
                }
            });
            left = left.minus(step);
        }
        return recordings;
    }

    /// Tells the JVM a cause that was found, for its flight recorder. True if a recording could take it.
    public boolean tellFound(String scheduler, FoundCause found) throws IOException {
        return one(
                Boolean.class,
                ask(Request.of(Request.FOUND).withScheduler(scheduler).withFound(found)));
    }

    /// Makes the process write its heap to a file, after a collection: unreferenced objects are not in it.
    /// Returns the file, which the process deletes when this connection is closed, or at the next heap dump.
    ///
    /// @throws IOException with one sentence, if that fails
    public Path dumpHeap() throws IOException {
        List<@Nullable Object> items = new ArrayList<>();
        ask(Request.of(Request.HEAP), PATIENCE_FOR_HEAP, items::add);
        return process.seenFromHere(Path.of(one(String.class, items)));
    }

    /// Makes the process record the events of all its schedulers for so long. Returns the file, as it is seen from
    /// here, and how many events it lacks. The process deletes it when this connection is closed, or at the next
    /// trace.
    ///
    /// @param stacks how often a stack is taken, as in the setting `heddle.stacks`; null: never
    /// @throws IOException with one sentence, if that fails
    public TraceAnswer trace(Duration duration, @Nullable String stacks) throws IOException {
        Request request = Request.of(Request.TRACE).withMillis(duration.toMillis());
        return trace(stacks == null ? request : request.withSettings(stacks));
    }

    /// The same, of what the flight recorder has: the last seconds.
    ///
    /// @throws IOException with one sentence, if that fails, or if the process has no flight recorder
    public TraceAnswer flight() throws IOException {
        return trace(Request.of(Request.TRACE).withSettings(Request.FLIGHT));
    }

    private TraceAnswer trace(Request request) throws IOException {
        List<@Nullable Object> items = new ArrayList<>();
        ask(request, PATIENCE_FOR_TRACE, items::add);
        TraceAnswer answer = one(TraceAnswer.class, items);
        return new TraceAnswer(process.seenFromHere(Path.of(answer.file())).toString(), answer.dropped());
    }

    /// Takes one item of an answer.
    private interface ItemReader {
        void read(@Nullable Object item) throws IOException;
    }

    private List<@Nullable Object> ask(Request request) throws IOException {
        List<@Nullable Object> items = new ArrayList<>();
        ask(request, PATIENCE, items::add);
        return items;
    }

    private void ask(Request question, Duration patience, ItemReader reader) throws IOException {
        Request request = question.withId(++lastId);
        try {
            lines.writeLine(Json.compact(request), patience);
            while (true) {
                String line = lines.readLine(Request.MAX_ANSWER_BYTES, patience);
                if (line == null) {
                    throw new IOException("the connection was closed");
                }
                if (!(JsonReader.read(line) instanceof Map<?, ?> answer)
                        || !Long.valueOf(request.id()).equals(answer.get("id"))) {
                    throw new IllegalArgumentException("not an answer to question " + request.id());
                }
                if (answer.get("error") instanceof String refusal) {
                    throw new Refusal(sentence(refusal));
                }
                if (answer.containsKey("item")) {
                    reader.read(answer.get("item"));
                }
                if (Boolean.TRUE.equals(answer.get("done"))) {
                    return;
                }
            }
        } catch (Refusal e) {
            throw e;
        } catch (SocketTimeoutException e) {
            throw new IOException(who() + " does not answer: it is stopped or very busy.", e);
        } catch (IllegalArgumentException e) {
            throw otherVersion(e);
        } catch (IOException e) {
            throw connectionLost(e);
        }
    }

    /// The JVM's own sentence.
    private static final class Refusal extends IOException {
        private static final long serialVersionUID = 1;

        Refusal(String sentence) {
            super(sentence);
        }
    }

    /// The JVM speaks of itself as "it", or of its settings and schedulers.
    private String sentence(String refusal) {
        String text = refusal.startsWith("it ") || refusal.startsWith("its ") ? who() + ": " + refusal : refusal;
        return text.endsWith(".") ? text : text + ".";
    }

    private IOException otherVersion(RuntimeException cause) {
        return new IOException(
                who() + " has another version of Heddle than this command, which cannot read its answer ("
                        + cause.getMessage() + ").",
                cause);
    }

    /// The exception for a broken connection. Usually the process is ending; its sockets close shortly before
    /// it is gone.
    private IOException connectionLost(IOException cause) {
        try {
            return new IOException(
                    process.endsWithin(LAST_MOMENTS) ? who() + " has ended." : who() + " has closed the connection.",
                    cause);
        } catch (IOException interrupted) {
            return interrupted;
        }
    }

    private String who() {
        return "process " + pid();
    }

    private <T> T one(Class<T> type, List<@Nullable Object> items) throws IOException {
        List<T> all = all(type, items);
        if (all.size() != 1) {
            throw otherVersion(new IllegalArgumentException(all.size() + " items instead of one"));
        }
        return all.getFirst();
    }

    private <T> List<T> all(Class<T> type, List<@Nullable Object> items) throws IOException {
        try {
            Stream<T> decoded = items.stream().map(it -> Decoder.decode(type, it));
            return decoded.toList();
        } catch (IllegalArgumentException e) {
            throw otherVersion(e);
        }
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException _) {
            // the process has ended, so nothing needs to be closed
        }
    }
}
