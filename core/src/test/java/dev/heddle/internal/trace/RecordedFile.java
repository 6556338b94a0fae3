package dev.heddle.internal.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What is in the file of a recording.
public final class RecordedFile {

    private interface Reader {
        void take(Block.Type type, ByteSource payload) throws ByteSource.Damage;
    }

    private RecordedFile() {}

    /// The frames of each stack, the innermost first. Fails if the file is damaged.
    public static List<List<String>> stacks(Path file) throws IOException, ByteSource.Damage {
        List<List<String>> stacks = new ArrayList<>();
        read(file, (type, in) -> {
            while (type == Block.Type.STACKS && !in.isAtEnd()) {
                long _ = in.unsigned();
                List<String> frames = new ArrayList<>();
                for (long left = in.unsigned(); left > 0; left--) {
                    frames.add(in.text());
                }
                stacks.add(frames);
            }
        });
        return stacks;
    }

    /// All events, without their names. Fails if the file is damaged.
    public static List<TraceEvent> events(Path file) throws IOException, ByteSource.Damage {
        List<TraceEvent> events = new ArrayList<>();
        Map<Long, EventDecoder> decoders = new HashMap<>();
        read(file, (type, in) -> {
            if (type == Block.Type.BUFFER) {
                EventDecoder.Buffer buffer = EventDecoder.Buffer.of(in);
                decoders.put(buffer.id(), new EventDecoder(buffer, _ -> ""));
            } else if (type == Block.Type.DATA) {
                EventDecoder.Piece piece = EventDecoder.Piece.of(in);
                decoders.get(piece.buffer()).decode(piece, in, events::add);
            }
        });
        return events;
    }

    private static void read(Path file, Reader to) throws IOException, ByteSource.Damage {
        try (InputStream in = Files.newInputStream(file)) {
            TraceFile.Reader reader = new TraceFile.Reader(in);
            for (Block block = reader.next(); block != null; block = reader.next()) {
                to.take(block.type(), new ByteSource(block.payload()));
            }
            if (reader.damage() != null) {
                throw new AssertionError(reader.damage());
            }
        }
    }
}
