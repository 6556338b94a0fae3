package dev.heddle.trace;

import dev.heddle.internal.trace.ByteSource;
import dev.heddle.internal.trace.EventDecoder;
import dev.heddle.internal.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Walks over the events of one buffer, with one piece in memory.
final class BufferCursor {

    private final FileChannel file;
    private final DataPieces pieces;
    private final EventDecoder decoder;
    private int nextPiece;
    private @Nullable TraceEvent head;

    BufferCursor(FileChannel file, DataPieces pieces, LongFunction<String> names) {
        this.file = file;
        this.pieces = pieces;
        this.decoder = new EventDecoder(pieces.buffer, names);
    }

    long buffer() {
        return pieces.buffer.id();
    }

    /// The event that [#advance] has reached.
    TraceEvent head() {
        TraceEvent event = head;
        if (event == null) {
            throw new IllegalStateException("there is no event");
        }
        return event;
    }

    /// Goes to the next event. False: there is none.
    boolean advance() throws IOException {
        try {
            head = decoder.next();
            while (head == null && nextPiece < pieces.size()) {
                int index = nextPiece++;
                decoder.begin(pieces.piece(index), new ByteSource(read(index)));
                head = decoder.next();
            }
        } catch (ByteSource.Damage e) {
            throw new RecordingException("the recording has an event that cannot be decoded: " + e.getMessage() + ".");
        }
        return head != null;
    }

    private byte[] read(int index) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(pieces.length(index));
        long position = pieces.position(index);
        while (bytes.hasRemaining()) {
            int read = file.read(bytes, position + bytes.position());
            if (read < 0) {
                throw new RecordingException("the recording became shorter while it was read.");
            }
        }
        return bytes.array();
    }
}
