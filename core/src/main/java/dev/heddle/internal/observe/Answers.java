package dev.heddle.internal.observe;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.settings.Settings;
import dev.heddle.internal.wire.FoundCause;
import dev.heddle.internal.wire.Json;
import dev.heddle.internal.wire.Request;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.SchedulerSnapshot;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What this JVM answers to the questions of a command. Closing it deletes the heap dump and the trace that it made.
final class Answers implements AutoCloseable {

    /// Longer recordings are made in several steps.
    private static final long MAX_RECORD_MILLIS = 60_000;

    /// Goroutines in one line of an answer.
    private static final int BATCH = 200;

    /// Longer traces are not asked for.
    private static final long MAX_TRACE_MILLIS = 3_600_000;

    private static final long TRACE_STEP_MILLIS = 20;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private @Nullable Path heap;
    private @Nullable Path trace;

    /// Takes the answer to one question, piece by piece.
    interface Listener {

        /// Takes the next item.
        void item(String json) throws IOException;

        /// Whether no one waits for the answer any more.
        boolean isGone();
    }

    /// @throws IllegalArgumentException with a sentence, if the question is refused
    void answer(Request request, Listener listener) throws IOException {
        String ask = String.valueOf(request.ask());
        switch (ask) {
            case Request.HELLO -> listener.item(Json.compact(Hello.ofThisJvm()));
            case Request.NAMES -> {
                for (String name : SchedulerReader.kernels().keySet()) {
                    listener.item(Json.compact(name));
                }
            }
            case Request.SNAPSHOTS -> {
                for (SchedulerSnapshot snapshot : SchedulerReader.snapshots()) {
                    listener.item(Json.compact(snapshot));
                }
            }
            case Request.SNAPSHOT -> listener.item(Json.compact(SchedulerReader.snapshot(nameIn(request))));
            case Request.GOROUTINES -> goroutines(request, listener);
            case Request.JVM -> listener.item(Json.compact(JvmFigures.now()));
            case Request.DEBUG -> {
                if (request.settings() != null) {
                    DebugControl.change(request.settings());
                }
                listener.item(Json.compact(DebugControl.settings().toString()));
            }
            case Request.RECORD -> record(request, listener);
            case Request.HEAP -> listener.item(Json.compact(dumpHeap().toString()));
            case Request.TRACE -> listener.item(Json.compact(trace(request, listener)));
            case Request.FOUND -> listener.item(Json.compact(found(request)));
            default ->
                throw new IllegalArgumentException("its version of Heddle (%s) does not know the question '%s'"
                        .formatted(Hello.ofThisJvm().version(), ask));
        }
    }

    /// Whether a recording could take the cause as an event.
    private static boolean found(Request request) {
        FoundCause found = request.found();
        if (found != null) {
            Snapshots.keep(Snapshots.Cause.FINDING, "the doctor found: " + found.title());
        }
        return found != null && RecorderLink.finding(nameIn(request), found);
    }

    private static String nameIn(Request request) {
        return String.valueOf(request.scheduler());
    }

    /// One after the other, each batch sent before the next is taken.
    private static void goroutines(Request request, Listener listener) throws IOException {
        Kernel kernel = SchedulerReader.kernel(nameIn(request));
        RecordingWriter writer = new RecordingWriter(listener::item);
        List<GoroutineStats> batch = new ArrayList<>();
        int left = request.limit();
        for (Thread thread : GoroutineReader.threads(kernel, request.limit())) {
            if (left == 0 || listener.isGone()) {
                break;
            }
            GoroutineStats goroutine = GoroutineReader.of(kernel, thread, request.frames());
            if (goroutine != null) {
                batch.add(goroutine);
                left--;
            }
            if (batch.size() == BATCH) {
                writer.write(RecordingLine.of(new Dump(System.nanoTime(), batch, true)));
                batch.clear();
            }
        }
        writer.write(RecordingLine.of(new Dump(System.nanoTime(), batch, true)));
    }

    private static void record(Request request, Listener listener) throws IOException {
        Duration duration = Duration.ofMillis(Math.clamp(request.millis(), 1, MAX_RECORD_MILLIS));
        try {
            new RecordingWriter(listener::item).write(new Sampler().record(duration, listener::isGone));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the JVM ends", e);
        }
    }

    /// Without unreferenced objects. The file belongs to this process: its user alone can read it.
    private Path dumpHeap() throws IOException {
        close();
        Path file = Path.of(Settings.fact("java.io.tmpdir"))
                .resolve("heddle-%d-%d.hprof".formatted(ProcessHandle.current().pid(), System.nanoTime()));
        heap = file;
        HotSpotDiagnosticMXBean diagnostics = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        try {
            diagnostics.dumpHeap(file.toString(), /* live= */ true);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "it cannot write its heap to " + file + " (" + e.getMessage()
                            + "): give it a directory that it can write to by -Djava.io.tmpdir",
                    e);
        }
        return file;
    }

    /// Records the events of all schedulers to a file, which only the user of this process can read.
    private TraceAnswer trace(Request request, Listener listener) throws IOException {
        close();
        Path file = Path.of(Settings.fact("java.io.tmpdir"))
                .resolve("heddle-%d-%d.trace".formatted(ProcessHandle.current().pid(), System.nanoTime()));
        try {
            TraceControl.createPrivate(file);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "it cannot write its trace to " + file + " (" + e.getMessage()
                            + "): give it a directory that it can write to by -Djava.io.tmpdir",
                    e);
        }
        trace = file;
        if (Request.FLIGHT.equals(request.settings())) {
            TraceControl.snapshot(file, "a command asked for it");
            return new TraceAnswer(file.toString(), 0);
        }
        long end = System.nanoTime() + Math.clamp(request.millis(), 1, MAX_TRACE_MILLIS) * NANOS_PER_MILLI;
        try (TraceControl.TraceFileWriter writer = TraceControl.record(file, stacksEvery(request.settings()))) {
            while (System.nanoTime() - end < 0 && writer.problem() == null && !listener.isGone()) {
                Thread.sleep(TRACE_STEP_MILLIS);
            }
            return new TraceAnswer(file.toString(), writer.end());
        } catch (IOException e) {
            throw new IllegalStateException("its trace is not whole: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the JVM ends", e);
        }
    }

    private static int stacksEvery(@Nullable String settings) {
        return settings != null && Settings.isStacks(settings) ? Settings.stacksEvery(settings) : 0;
    }

    @Override
    public void close() throws IOException {
        if (trace != null) {
            Files.deleteIfExists(trace);
            trace = null;
        }
        if (heap != null) {
            Files.deleteIfExists(heap);
            heap = null;
        }
    }
}
