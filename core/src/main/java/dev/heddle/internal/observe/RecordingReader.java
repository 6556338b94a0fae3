package dev.heddle.internal.observe;

import dev.heddle.internal.wire.Decoder;
import dev.heddle.internal.wire.JsonReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads what [RecordingWriter] wrote, line by line.
public final class RecordingReader {

    private final List<List<String>> shared = new ArrayList<>();
    private final Map<String, byte[]> classes = new HashMap<>();
    private final List<Window> windows = new ArrayList<>();

    /// A window that is being read.
    private record Window(String scheduler, List<Sample> samples, List<Dump> dumps) {}

    /// Takes the next line. Returns the recording if it is complete now, otherwise null.
    ///
    /// @throws IllegalArgumentException if this is not a line of a recording
    public @Nullable List<SampleWindow> read(String line) {
        return read(JsonReader.read(line));
    }

    /// As [#read(String)], with JSON that was read already.
    public @Nullable List<SampleWindow> read(@Nullable Object json) {
        RecordingLine line = line(json);
        if (line == null) {
            return null;
        }
        if (line.window() != null) {
            windows.add(new Window(line.window().scheduler(), new ArrayList<>(), new ArrayList<>()));
        }
        if (line.sample() != null) {
            last().samples.add(line.sample());
        }
        if (line.dump() != null) {
            last().dumps.add(line.dump());
        }
        if (line.className() != null) {
            classes.put(line.className(), line.classFile());
        }
        return line.end() ? recording() : null;
    }

    /// The line with its shared lists in place; null if it is such a list itself.
    ///
    /// @throws IllegalArgumentException if this is not a line of a recording
    public @Nullable RecordingLine line(@Nullable Object json) {
        RecordingLine line = Decoder.decode(RecordingLine.class, json, shared);
        if (line.list().isEmpty()) {
            return line;
        }
        shared.add(List.copyOf(line.list()));
        return null;
    }

    private Window last() {
        if (windows.isEmpty()) {
            throw new IllegalArgumentException("a recording begins with a window");
        }
        return windows.getLast();
    }

    private List<SampleWindow> recording() {
        List<SampleWindow> recording = windows.stream()
                .map(it -> new SampleWindow(it.scheduler, it.samples, it.dumps, classes))
                .toList();
        windows.clear();
        classes.clear();
        shared.clear();
        return recording;
    }
}
