package dev.heddle.internal.observe;

import dev.heddle.internal.wire.Json;
import dev.heddle.internal.wire.SharedLists;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Writes recordings as lines of JSON: see [RecordingLine].
final class RecordingWriter {

    /// Takes the lines.
    interface Sink {
        void accept(String line) throws IOException;
    }

    private final Sink sink;
    private final SharedLists shared = new SharedLists();

    RecordingWriter(Sink sink) {
        this.sink = sink;
    }

    /// Writes one recording, which has a window for each scheduler.
    void write(List<SampleWindow> windows) throws IOException {
        for (SampleWindow window : windows) {
            write(RecordingLine.of(new SampleWindow(window.scheduler(), List.of(), List.of(), Map.of())));
            for (Sample sample : window.samples()) {
                write(RecordingLine.of(sample));
            }
            for (Dump dump : window.dumps()) {
                write(RecordingLine.of(dump));
            }
        }
        if (!windows.isEmpty()) { // all windows have the same classes
            for (Map.Entry<String, byte[]> each : windows.getFirst().classes().entrySet()) {
                write(RecordingLine.of(each.getKey(), each.getValue()));
            }
        }
        write(RecordingLine.ofEnd());
    }

    void write(RecordingLine line) throws IOException {
        String text = Json.compact(line, shared);
        for (List<?> each : shared.takeAdded()) {
            sink.accept(Json.compact(Map.of("list", each)));
        }
        sink.accept(text);
    }
}
