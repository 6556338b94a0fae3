package dev.heddle.trace;

import dev.heddle.internal.trace.Block;
import dev.heddle.internal.trace.Bytes;
import dev.heddle.internal.trace.EventDecoder;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.TraceFile;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes recordings of any length, in parts that are each marked as complete, as the recorder does once a second. One
/// machine with one processor runs one thread, which yields again and again.
public final class SampleRecording {

    private static final int THREAD = 40;
    private static final int NOTE = 1;
    private static final long STEP = 100;

    private final TraceFile.Writer file;
    private final String text;
    private long chunks;
    private long number;
    private long time;

    /// @param text of each log entry
    private SampleRecording(OutputStream out, String text) throws IOException {
        this.file = new TraceFile.Writer(out);
        this.text = text;
        Bytes header = new Bytes().unsigned(0).signed(1_000).signed(1_760_000_000_000_000_000L);
        file.write(
                Block.Type.HEADER,
                header.unsigned(4711)
                        .unsigned(0)
                        .text("0.1.0")
                        .text("25.0.3")
                        .text("app.Main")
                        .toArray());
        file.write(
                Block.Type.SCHEDULER,
                new Bytes().unsigned(0).text("heddle").unsigned(1).toArray());
        file.write(Block.Type.BUFFER, new EventDecoder.Buffer(1, 0, 1, 1000, 500, "carrier 1").toPayload());
        file.write(Block.Type.NAMES, new Bytes().unsigned(NOTE).text("note").toArray());
        mark(Block.Mark.STRICT);
    }

    /// Parts of so many switches each, with so many log entries among them.
    public static Path ofSwitches(Path to, int parts, int switches, int logs, int textLength) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(to))) {
            SampleRecording recording = new SampleRecording(out, "x".repeat(textLength));
            for (int i = 0; i < parts; i++) {
                recording.part(switches, logs);
            }
            recording.mark(Block.Mark.END);
        }
        return to;
    }

    /// So many goroutines that are created and never run.
    public static Path ofGoroutines(Path to, int parts, int goroutines) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(to))) {
            SampleRecording recording = new SampleRecording(out, "");
            for (int i = 0; i < parts; i++) {
                recording.create(goroutines);
            }
            recording.mark(Block.Mark.END);
        }
        return to;
    }

    /// A small one in memory, of some parts with a switch and a log entry each.
    public static byte[] small(int parts) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SampleRecording recording = new SampleRecording(out, "hello");
        for (int i = 0; i < parts; i++) {
            recording.part(1, 1);
        }
        recording.mark(Block.Mark.END);
        return out.toByteArray();
    }

    private void part(int switches, int logs) throws IOException {
        Bytes chunk = chunk();
        for (int i = 0; i < Math.max(switches, logs); i++) {
            if (i < logs) {
                event(chunk, EventKind.LOG).unsigned(0).unsigned(NOTE).text(text);
            }
            if (i < switches) {
                event(chunk, EventKind.GO_YIELD).unsigned(0);
                event(chunk, EventKind.GO_START).unsigned(THREAD).unsigned(3);
            }
        }
        write(chunk);
    }

    private void create(int goroutines) throws IOException {
        Bytes chunk = chunk();
        for (int i = 0; i < goroutines; i++) {
            event(chunk, EventKind.GO_CREATE).signed(i == 0 ? ++number : 1);
            number += i == 0 ? 0 : 1;
            chunk.unsigned(0).unsigned(1);
        }
        write(chunk);
    }

    private Bytes chunk() {
        time += STEP;
        Bytes chunk = new Bytes().put(EventKind.CHUNK.code()).unsigned(time);
        return chunk.signed(0).unsigned(THREAD).unsigned(0);
    }

    private Bytes event(Bytes chunk, EventKind kind) {
        time += STEP;
        return chunk.put(kind.code()).unsigned(STEP);
    }

    private void write(Bytes chunk) throws IOException {
        file.write(
                Block.Type.DATA,
                new EventDecoder.Piece(1, chunks++, 0).toBytes().bytes(chunk).toArray());
        mark(Block.Mark.COMPLETE);
    }

    private void mark(Block.Mark mark) throws IOException {
        file.write(
                Block.Type.MARK,
                new Bytes().unsigned(mark.ordinal()).unsigned(time).unsigned(0).toArray());
    }
}
