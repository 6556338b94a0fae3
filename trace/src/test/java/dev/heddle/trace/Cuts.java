package dev.heddle.trace;

import dev.heddle.internal.trace.Block;
import dev.heddle.internal.trace.ByteSource;
import dev.heddle.internal.trace.Bytes;
import dev.heddle.internal.trace.EventDecoder;
import dev.heddle.internal.trace.EventDecoder.Buffer;
import dev.heddle.internal.trace.EventDecoder.Piece;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.internal.trace.TraceFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Makes windows of a whole recording, as the flight recorder does: the events before a moment are gone, and each
/// buffer begins with a CHUNK event that says what its machine has.
final class Cuts {

    private Cuts() {}

    /// What one machine has while its events are read.
    private static final class Has {
        int processor = -1;
        long thread;
    }

    /// Writes the part of a recording from a time on. All names stay.
    static Path from(Path whole, long time, Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TraceFile.Writer out = new TraceFile.Writer(bytes);
        Map<Long, Buffer> buffers = new HashMap<>();
        Map<Long, EventDecoder> decoders = new HashMap<>();
        Map<Integer, Has> machines = machinesAt(whole, time);
        Map<Long, Bytes> cut = new HashMap<>();
        Map<Long, long[]> last = new HashMap<>(); // time, goroutine
        List<Block> end = new ArrayList<>();
        try (var in = Files.newInputStream(whole)) {
            TraceFile.Reader reader = new TraceFile.Reader(in);
            for (Block block = reader.next(); block != null; block = reader.next()) {
                ByteSource source = new ByteSource(block.payload());
                switch (block.type()) {
                    case BUFFER -> {
                        Buffer buffer = Buffer.of(source);
                        buffers.put(buffer.id(), buffer);
                        decoders.put(buffer.id(), new EventDecoder(buffer, _ -> ""));
                        out.write(block.type(), block.payload());
                    }
                    case DATA -> {
                        Piece piece = Piece.of(source);
                        Buffer buffer = buffers.get(piece.buffer());
                        Has has = machines.getOrDefault(buffer.machine(), new Has());
                        EventDecoder decoder = decoders.get(piece.buffer());
                        decoder.begin(piece, source);
                        for (TraceEvent event = decoder.next(); event != null; event = decoder.next()) {
                            if (event.time() >= time) {
                                Bytes to = cut.get(buffer.id());
                                if (to == null) {
                                    to = new Bytes();
                                    cut.put(buffer.id(), to);
                                    last.put(buffer.id(), new long[] {event.time(), 0});
                                    chunk(to, event.time(), has);
                                }
                                encode(to, event, buffer, last.get(buffer.id()));
                            }
                        }
                    }
                    case MARK -> end.add(block);
                    case THREADS -> {} // a snapshot may come without
                    default -> out.write(block.type(), block.payload());
                }
            }
        } catch (ByteSource.Damage e) {
            throw new AssertionError(e);
        }
        for (Map.Entry<Long, Bytes> each : cut.entrySet()) {
            byte[] events = each.getValue().toArray();
            int from = 0;
            int size = 500_000;
            for (; from < events.length; from += size) {
                int length = Math.min(size, events.length - from);
                Bytes piece = new Piece(each.getKey(), 0, from).toBytes();
                out.write(Block.Type.DATA, piece.bytes(events, from, length).toArray());
            }
        }
        out.write(
                Block.Type.MARK,
                new Bytes()
                        .unsigned(Block.Mark.STRICT.ordinal())
                        .unsigned(time)
                        .unsigned(0)
                        .toArray());
        out.write(Block.Type.MARK, end.getLast().payload());
        return Files.write(file, bytes.toByteArray());
    }

    /// What each machine had at that time. All machines are of one scheduler.
    private static Map<Integer, Has> machinesAt(Path whole, long time) throws IOException {
        Map<Integer, Has> machines = new HashMap<>();
        try (EventStream events = Recording.open(whole).events()) {
            for (TraceEvent event = events.next(); event != null && event.time() < time; event = events.next()) {
                if (event.machine() >= 0) {
                    follow(event, machines.computeIfAbsent(event.machine(), _ -> new Has()));
                }
                if (event.kind() == EventKind.P_TAKEN) {
                    Has victim = machines.get((int) event.get(Field.MACHINE));
                    if (victim != null && victim.processor == event.get(Field.PROCESSOR)) {
                        victim.processor = -1;
                    }
                }
            }
        }
        return machines;
    }

    private static void chunk(Bytes to, long time, Has has) {
        to.put(EventKind.CHUNK.code()).unsigned(time);
        to.signed(has.processor).unsigned(has.thread).unsigned(0);
    }

    private static void follow(TraceEvent event, Has has) {
        switch (event.kind()) {
            case CHUNK -> {
                has.processor = (int) event.get(Field.PROCESSOR);
                has.thread = event.get(Field.THREAD);
            }
            case P_START -> has.processor = (int) event.get(Field.PROCESSOR);
            case P_STOP, P_LOST -> has.processor = -1;
            case GO_START, GO_START_FRESH -> has.thread = event.get(Field.THREAD);
            case GO_PARK, GO_YIELD, GO_END, GO_VOID -> has.thread = 0;
            default -> {}
        }
    }

    /// A later CHUNK is left out: what it begins goes on in the same chunk here.
    private static void encode(Bytes to, TraceEvent event, Buffer buffer, long[] last) {
        if (event.kind() == EventKind.CHUNK) {
            return;
        }
        to.put(event.kind().code()).unsigned(event.time() - last[0]);
        last[0] = event.time();
        if (buffer.machine() < 0) {
            to.unsigned(event.writer()).signed(event.scheduler());
        }
        for (Field field : event.kind().fields()) {
            switch (field.code()) {
                case UNSIGNED, NAME -> to.unsigned(event.get(field));
                case SIGNED -> to.signed(event.get(field));
                case GOROUTINE -> {
                    to.signed(event.get(field) - last[1]);
                    last[1] = event.get(field);
                }
                case TEXT -> to.text(event.text());
            }
        }
    }
}
