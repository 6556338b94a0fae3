package dev.heddle.trace.export;

import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.ParkReason;
import dev.heddle.internal.trace.Place;
import dev.heddle.internal.trace.Source;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.internal.wire.Json;
import dev.heddle.trace.Goroutine;
import dev.heddle.trace.Machine;
import dev.heddle.trace.Recording;
import dev.heddle.trace.Replay;
import dev.heddle.trace.ReplayListener;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes a recording as lines of JSON, one for the recording and one for each event, for programs. `docs/trace.md`
/// describes the members.
public final class JsonExport implements ReplayListener {

    private final Writer out;
    private final Recording recording;
    private Map<String, Object> line = new LinkedHashMap<>();

    private JsonExport(Recording recording, Writer out) {
        this.recording = recording;
        this.out = out;
    }

    /// Writes the window of the recording.
    ///
    /// @throws dev.heddle.trace.RecordingException if the recording contradicts itself
    public static void write(Recording recording, OutputStream to) throws IOException {
        Writer out = new BufferedWriter(new OutputStreamWriter(to, StandardCharsets.UTF_8));
        JsonExport export = new JsonExport(recording, out);
        Replay.of(recording, export);
        export.writeLine();
        out.flush();
    }

    @Override
    public void begins(Replay replay) throws IOException {
        line.put("kind", "recording");
        line.put("from", recording.from());
        line.put("to", recording.to());
        line.put("header", recording.header());
        line.put("schedulers", List.copyOf(recording.schedulers()));
        line.put("notes", recording.notes());
        writeLine();
        for (Goroutine goroutine : replay.goroutines()) {
            line.put("time", recording.from());
            line.put("kind", "there-was");
            describe(goroutine);
            line.put("state", goroutine.state().toString());
            Machine machine = goroutine.machine();
            if (machine != null) {
                line.put("machine", machine.id());
            }
            writeLine();
        }
    }

    private void describe(Goroutine goroutine) {
        line.put("goroutine", goroutine.id());
        if (goroutine.thread() != 0) {
            line.put("thread", goroutine.thread());
        }
        if (!goroutine.body().isEmpty()) {
            line.put("body", goroutine.body());
        }
        if (!goroutine.name().isEmpty()) {
            line.put("name", goroutine.name());
        }
    }

    @Override
    public void event(TraceEvent event) throws IOException {
        writeLine(); // the one before: its goroutine is known now
        line.put("time", event.time());
        line.put("kind", event.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        if (event.scheduler() > 0) {
            line.put("scheduler", event.scheduler());
        }
        line.put(event.machine() < 0 ? "writer" : "machine", event.machine() < 0 ? event.writer() : event.machine());
        for (Field field : event.kind().fields()) {
            String name = field.name().toLowerCase(Locale.ROOT);
            // `machine` is the one that writes
            line.put(field == Field.MACHINE ? "other" : name, value(event, field));
        }
    }

    private Object value(TraceEvent event, Field field) {
        return switch (field) {
            case BODY, BLOCKER, NAME -> event.name();
            case TEXT -> event.text();
            case PLACE -> word(Place.values(), event.get(field));
            case SOURCE -> word(Source.values(), event.get(field));
            case REASON -> ParkReason.of(event.get(field)).toString();
            case STACK -> recording.stack(event.get(field));
            default -> event.get(field);
        };
    }

    private static Object word(Enum<?>[] values, long code) {
        return code < values.length ? values[(int) code].name().toLowerCase(Locale.ROOT) : code;
    }

    @Override
    public void created(Goroutine goroutine, @Nullable Machine by, TraceEvent event) {
        line.put("goroutine", goroutine.id());
    }

    @Override
    public void woken(Goroutine goroutine, @Nullable Machine by, TraceEvent event) {
        line.put("goroutine", goroutine.id());
    }

    @Override
    public void started(Goroutine goroutine, Machine machine) {
        line.put("goroutine", goroutine.id());
    }

    @Override
    public void stopped(Goroutine goroutine, Machine machine, Stop how) {
        line.put("goroutine", goroutine.id());
    }

    private void writeLine() throws IOException {
        if (!line.isEmpty()) {
            out.write(Json.of(line));
            out.write('\n');
            line = new LinkedHashMap<>();
        }
    }
}
