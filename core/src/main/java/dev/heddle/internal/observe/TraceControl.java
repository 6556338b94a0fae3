package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.ProgramHooks;
import dev.heddle.internal.settings.Settings;
import dev.heddle.internal.trace.Block;
import dev.heddle.internal.trace.FileSink;
import dev.heddle.internal.trace.RingSink;
import dev.heddle.internal.trace.TraceDrainer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The execution traces of this JVM: any number of files at the same time. The first one begins the recording
/// of events, and the last one ends it.
public final class TraceControl {

    private static final TraceControl THIS_JVM = new TraceControl();

    /// What records; null while no file is written. Guarded by this object's monitor.
    private @Nullable TraceRecorder recorder;

    /// How often each sink wants stacks: see [#record]. Guarded by this object's monitor.
    private final List<Integer> wishes = new ArrayList<>();

    /// 64 MB: twenty seconds of a busy server, a second of two goroutines that do nothing but switch. A guess.
    private static final long FLIGHT_BYTES = 64L << 20;

    /// The last seconds; null if no setting asked for them. Written under this object's monitor.
    private volatile @Nullable RingSink flight;

    /// The file that the settings name; null if they name none. Written under this object's monitor.
    private volatile @Nullable TraceFileWriter ofSettings;

    private TraceControl() {}

    /// A file that is being written.
    public static final class TraceFileWriter implements AutoCloseable {
        private final Path file;
        private final FileSink sink;
        private final TraceDrainer.Attached attached;
        private final int stacksEvery;
        private boolean hasEnded;

        private TraceFileWriter(Path file, FileSink sink, TraceDrainer.Attached attached, int stacksEvery) {
            this.file = file;
            this.sink = sink;
            this.attached = attached;
            this.stacksEvery = stacksEvery;
        }

        /// Why nothing more is written, as a sentence; null: all is well.
        public @Nullable String problem() {
            IOException failure = attached.failure();
            return failure == null ? null : sentence(file, failure);
        }

        /// Ends the file. Returns how many events were lost because memory was short.
        ///
        /// @throws IOException with one sentence, if not everything could be written
        public synchronized long end() throws IOException {
            if (hasEnded) {
                return 0;
            }
            hasEnded = true;
            return THIS_JVM.end(this);
        }

        @Override
        public void close() throws IOException {
            end();
        }
    }

    /// Records everything that happens from now on to a file.
    ///
    /// @param stacksEvery on average, one of so many parks has a stack; 0: none
    /// @throws IOException with one sentence, if the file cannot be written
    public static TraceFileWriter record(Path file, int stacksEvery) throws IOException {
        return THIS_JVM.begin(file, stacksEvery);
    }

    /// Records to the file that the settings name, until the JVM ends.
    ///
    /// @throws IllegalStateException with one sentence, if the file cannot be written
    public static void startIfAsked() {
        String file = Settings.traceFile();
        if (file != null) {
            THIS_JVM.startOnce(Path.of(file));
        }
    }

    private static boolean isStarted; // guarded by THIS_JVM

    private synchronized void startOnce(Path file) {
        if (isStarted) {
            return;
        }
        isStarted = true;
        try {
            TraceFileWriter writer = begin(file, Settings.stacksEvery());
            ofSettings = writer;
            ProgramHooks.addOwn("heddle-trace-end", () -> endAtExit(writer));
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static void endAtExit(TraceFileWriter writer) {
        try {
            long dropped = writer.end();
            if (dropped > 0) {
                System.err.println("heddle: the trace " + writer.file + " lacks " + dropped
                        + " events, because its memory was full.");
            }
        } catch (IOException e) {
            System.err.println("heddle: " + e.getMessage());
        }
    }

    // ---- the flight recorder

    /// Keeps the last seconds in memory from now on, if the settings say so.
    ///
    /// @throws IllegalStateException with one sentence, if the setting cannot be read
    public static void startFlightIfAsked() {
        long nanos = Settings.flightNanos();
        long latency = Settings.flightLatencyNanos();
        if (nanos > 0) {
            THIS_JVM.fly(nanos, latency, Settings.stacksEvery());
        }
    }

    /// @param latency     how long a goroutine may be runnable without running; 0: for ever
    /// @param stacksEvery see [#record]
    private synchronized void fly(long nanos, long latency, int stacksEvery) {
        if (flight == null) {
            boolean isFirst = recorder == null;
            TraceRecorder with = recorder != null ? recorder : new TraceRecorder();
            RingSink ring = new RingSink(FLIGHT_BYTES, nanos, with.recording().tables());
            TraceDrainer.Attached _ = with.drainer().attach(ring);
            use(with, isFirst, stacksEvery);
            flight = ring;
            if (latency > 0) {
                with.watch(latency);
            }
        }
    }

    /// Writes what the flight recorder has to a file.
    ///
    /// @param why for the reader of the file
    /// @throws IOException with one sentence, if the file cannot be written
    /// @throws IllegalStateException with one sentence, if there is no flight recorder
    public static void snapshot(Path file, String why) throws IOException {
        THIS_JVM.writeFlight(file, why);
    }

    private void writeFlight(Path file, String why) throws IOException {
        RingSink ring;
        TraceRecorder with;
        synchronized (this) {
            ring = flight;
            with = recorder;
        }
        if (ring == null || with == null) {
            throw new IllegalStateException("it has no flight recorder of its scheduler: start it with -D"
                    + Settings.FLIGHT + "=10s, or with flight=10s in the agent's line");
        }
        with.complete();
        try {
            ring.writeTo(Files.newOutputStream(file), with.header(/* isFlight= */ true), why);
        } catch (IOException e) {
            throw new IOException(sentence(file, e), e);
        }
    }

    /// The program is about to be ended without shutdown hooks: ends the file that the settings name, and keeps what
    /// the flight recorder has.
    static void lastMoments(String why) {
        TraceFileWriter writer = THIS_JVM.ofSettings;
        if (writer != null) {
            endAtExit(writer);
        }
        Snapshots.keep(Snapshots.Cause.DEADLOCK, why);
    }

    /// Whether there is a flight recorder. Any thread.
    static boolean hasFlight() {
        return THIS_JVM.flight != null;
    }

    // ---- files

    /// Makes an empty file that only this user can read. A file of that name is deleted, because the
    /// folder may be open to all users.
    static void createPrivate(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /// One more sink wants events.
    private void use(TraceRecorder with, boolean isFirst, int stacksEvery) {
        wishes.add(stacksEvery);
        with.recording().setStacksEvery(stacksEvery());
        if (isFirst) {
            with.begin();
            recorder = with;
            with.settle();
        }
    }

    /// All sinks get the same events: the one that wants the most stacks decides.
    private int stacksEvery() {
        return wishes.stream().filter(it -> it > 0).min(Integer::compare).orElse(0);
    }

    private synchronized TraceFileWriter begin(Path file, int stacksEvery) throws IOException {
        OutputStream out;
        try {
            out = Files.newOutputStream(file);
        } catch (IOException e) {
            throw new IOException(sentence(file, e), e);
        }
        boolean isFirst = recorder == null;
        TraceRecorder with = recorder != null ? recorder : new TraceRecorder();
        FileSink sink;
        try {
            sink = new FileSink(out, with.recording().tables());
            sink.block(Block.Type.HEADER, with.header(/* isFlight= */ false));
        } catch (IOException e) {
            out.close();
            throw new IOException(sentence(file, e), e);
        }
        TraceFileWriter writer = new TraceFileWriter(file, sink, with.drainer().attach(sink), stacksEvery);
        use(with, isFirst, stacksEvery);
        return writer;
    }

    private synchronized long end(TraceFileWriter writer) throws IOException {
        TraceRecorder with = recorder;
        if (with == null) {
            throw new IllegalStateException("no trace is recorded");
        }
        wishes.remove(Integer.valueOf(writer.stacksEvery));
        with.recording().setStacksEvery(stacksEvery());
        if (wishes.isEmpty()) {
            recorder = null;
            with.end();
        } else {
            with.complete();
        }
        long dropped = with.drainer().dropped();
        with.drainer().detach(writer.attached);
        IOException failure = writer.attached.failure();
        if (failure == null) {
            try {
                writer.sink.end(dropped);
                return dropped;
            } catch (IOException e) {
                failure = e;
            }
        }
        writer.sink.abandon();
        throw new IOException(sentence(writer.file, failure), failure);
    }

    private static String sentence(Path file, IOException e) {
        String why = e instanceof java.nio.file.NoSuchFileException
                ? "its folder does not exist"
                : e instanceof java.nio.file.AccessDeniedException
                        ? "it is not allowed"
                        : e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return "the trace cannot be written to " + file + " (" + why + "): name another file.";
    }
}
