package dev.heddle.internal.trace;

import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Decodes the events of one buffer, piece by piece, in the order in which they are in the file.
public final class EventDecoder {

    /// What a BUFFER block says.
    ///
    /// @param id        the number of the buffer
    /// @param scheduler the machine's scheduler; -1: foreign threads share the buffer
    /// @param machine   the machine; -1: foreign threads share the buffer
    /// @param osThread  the operating system's id of the machine's thread; 0: unknown
    /// @param thread    the Java id of the machine's thread; 0: foreign threads share the buffer
    /// @param name      the name of the machine's thread
    public record Buffer(long id, int scheduler, int machine, long osThread, long thread, String name) {

        public static Buffer of(ByteSource in) throws ByteSource.Damage {
            return new Buffer(
                    in.unsigned(), (int) in.signed(), (int) in.signed(), in.unsigned(), in.unsigned(), in.text());
        }

        public byte[] toPayload() {
            return new Bytes()
                    .unsigned(id)
                    .signed(scheduler)
                    .signed(machine)
                    .unsigned(osThread)
                    .unsigned(thread)
                    .text(name)
                    .toArray();
        }

        boolean isForeign() {
            return machine < 0;
        }
    }

    /// The head of a DATA block; the events follow it.
    ///
    /// @param buffer the buffer
    /// @param chunk  the number of the chunk: 0, 1, ..; a missing one was dropped
    /// @param offset where in the chunk the piece begins; 0 is the chunk's beginning
    public record Piece(long buffer, long chunk, long offset) {

        public static Piece of(ByteSource in) throws ByteSource.Damage {
            return new Piece(in.unsigned(), in.unsigned(), in.unsigned());
        }

        public Bytes toBytes() {
            return new Bytes().unsigned(buffer).unsigned(chunk).unsigned(offset);
        }
    }

    private final Buffer buffer;
    private final LongFunction<String> names;
    private final EventCursor cursor;

    private ByteSource in = new ByteSource(new byte[0]);

    // Where the last piece ended.
    private long chunk = -1;
    private long offset;

    /// @param names the text of an id; empty for an unknown one
    public EventDecoder(Buffer buffer, LongFunction<String> names) {
        this.buffer = buffer;
        this.names = names;
        this.cursor = new EventCursor(buffer, /* withTexts= */ true);
    }

    /// Decodes a piece. A piece whose predecessor in the same chunk is missing is skipped: only a chunk's beginning
    /// says what came before it.
    ///
    /// @throws ByteSource.Damage if it cannot be decoded; what came before was delivered
    public void decode(Piece piece, ByteSource in, Consumer<TraceEvent> to) throws ByteSource.Damage {
        begin(piece, in);
        TraceEvent event = next();
        while (event != null) {
            to.accept(event);
            event = next();
        }
    }

    /// The same in single steps: [#next] gives the events of this piece, none if it is skipped.
    public void begin(Piece piece, ByteSource in) {
        boolean isNext = piece.chunk() == chunk && piece.offset() == offset;
        boolean isSkipped = piece.offset() != 0 && !isNext;
        this.in = isSkipped ? new ByteSource(new byte[0]) : in;
        if (!isSkipped) {
            chunk = piece.chunk();
            offset = piece.offset() + in.remaining();
        }
    }

    /// The next event of the piece; null at its end.
    ///
    /// @throws ByteSource.Damage if it cannot be decoded
    public @Nullable TraceEvent next() throws ByteSource.Damage {
        return in.isAtEnd() ? null : event(in);
    }

    private TraceEvent event(ByteSource in) throws ByteSource.Damage {
        cursor.read(in);
        long[] numbers = cursor.numbers;
        return new TraceEvent(
                cursor.time,
                cursor.scheduler,
                buffer.machine(),
                cursor.writer,
                cursor.kind,
                numbers[0],
                numbers[1],
                numbers[2],
                numbers[3],
                cursor.name == 0 ? "" : names.apply(cursor.name),
                cursor.text);
    }
}
