package dev.heddle.internal.trace;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The flight recorder: keeps the last seconds of a recording in memory, and writes them to a file on request.
///
/// Everything between two moments of completeness is a round. The oldest round is dropped when it is older than
/// the age, or when all together are larger than the size, which wins. So the events of all machines begin at
/// the same moment: the end of the round that was dropped last. A round can be decoded without those before it:
/// what it has of a chunk begins with the chunk's beginning.
///
/// Guarded by its own monitor: the drainer fills it, any thread may write a snapshot.
public final class RingSink implements TraceSink {

    /// When a round alone has this part of the size, the recorder should end it.
    private static final int PARTS = 8;

    /// A piece of a chunk, from `from` on.
    private record Piece(long buffer, long chunk, int from, byte[] bytes) {}

    /// A block that belongs to a moment.
    private record Other(Block.Type type, byte[] payload) {}

    /// What came between two moments.
    private static final class Round {
        final List<Piece> pieces = new ArrayList<>();
        final List<Other> others = new ArrayList<>();
        final Map<Long, Long> chunks = new HashMap<>();
        final List<Long> ended = new ArrayList<>();
        long bytes;
        long end;
    }

    private final long mostBytes;
    private final long mostNanos;
    private final Tables tables;

    /// The SCHEDULER blocks, in their order.
    private final List<Other> schedulers = new ArrayList<>();

    /// The BUFFER blocks of all buffers that have anything here, or may get it.
    private final Map<Long, Other> buffers = new LinkedHashMap<>();

    private final Deque<Round> rounds = new ArrayDeque<>();
    private Round current = new Round();
    private long bytes;

    /// From here on everything is there; -1: not yet.
    private long from = -1;

    private long lastDropped;

    public RingSink(long mostBytes, long mostNanos, Tables tables) {
        this.mostBytes = mostBytes;
        this.mostNanos = mostNanos;
        this.tables = tables;
    }

    @Override
    public synchronized void block(Block.Type type, byte[] payload) throws IOException {
        if (type == Block.Type.SCHEDULER) {
            schedulers.add(new Other(type, payload));
        } else if (type == Block.Type.BUFFER) {
            buffers.put(idIn(payload), new Other(type, payload));
        } else {
            current.others.add(new Other(type, payload));
            grow(payload.length);
        }
    }

    private static long idIn(byte[] payload) throws IOException {
        try {
            return EventDecoder.Buffer.of(new ByteSource(payload)).id();
        } catch (ByteSource.Damage e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public synchronized void ended(long buffer) {
        current.ended.add(buffer);
    }

    @Override
    public synchronized void piece(long buffer, long chunk, int offset, byte[] bytes, int length) {
        Long before = current.chunks.put(buffer, chunk);
        int begin = before != null && before == chunk ? offset : 0;
        current.pieces.add(new Piece(buffer, chunk, begin, java.util.Arrays.copyOfRange(bytes, begin, length)));
        grow(length - begin);
    }

    private void grow(long more) {
        current.bytes += more;
        bytes += more;
    }

    @Override
    public synchronized void complete(long time, long dropped) {
        lastDropped = dropped;
        current.end = time;
        rounds.add(current);
        current = new Round();
        Round oldest = rounds.getFirst();
        while (rounds.size() > 1 && (bytes > mostBytes || oldest.end < time - mostNanos)) {
            rounds.removeFirst();
            bytes -= oldest.bytes;
            oldest.ended.forEach(buffers::remove);
            if (from >= 0) {
                from = Math.max(from, oldest.end);
            }
            oldest = rounds.getFirst();
        }
    }

    @Override
    public synchronized void strict(long time, long dropped) {
        from = Math.max(from, time);
    }

    /// Whether the present round is so large that it should end now: the oldest one is dropped as a whole.
    synchronized boolean isHungry() {
        return current.bytes > mostBytes / PARTS;
    }

    /// Writes what is there up to the last moment of completeness to a file, and closes it.
    ///
    /// @param header the content of the HEADER block
    /// @param remark why it is written
    public void writeTo(OutputStream to, byte[] header, String remark) throws IOException {
        List<Other> heads;
        List<Round> whole; // nothing is added to a round that is over
        long begin;
        long lost;
        synchronized (this) { // briefly: the drainer waits meanwhile
            heads = new ArrayList<>(schedulers);
            heads.addAll(buffers.values());
            whole = List.copyOf(rounds);
            begin = from;
            lost = lastDropped;
        }
        try (OutputStream out = new BufferedOutputStream(to)) {
            TraceFile.Writer file = new TraceFile.Writer(out);
            file.write(Block.Type.HEADER, header);
            for (Other head : heads) {
                file.write(head.type, head.payload);
            }
            long end = whole.isEmpty() ? 0 : whole.getLast().end;
            file.write(Block.Type.REMARK, new Bytes().unsigned(end).text(remark).toArray());
            if (begin >= 0) {
                file.write(Block.Type.MARK, FileSink.markOf(Block.Mark.STRICT, begin, 0));
            }
            Map<Long, Piece> last = new HashMap<>();
            for (Round round : whole) {
                for (Piece piece : round.pieces) {
                    write(file, piece, last.put(piece.buffer, piece));
                }
                for (Other other : round.others) {
                    file.write(other.type, other.payload);
                }
            }
            tables.writeNews(file, new Tables.Written());
            file.write(Block.Type.MARK, FileSink.markOf(Block.Mark.COMPLETE, end, lost));
            file.write(Block.Type.MARK, FileSink.markOf(Block.Mark.END, end, lost));
        }
    }

    /// Leaves out what the piece before it, which may be of an earlier round, has in common with it.
    private static void write(TraceFile.Writer file, Piece piece, @Nullable Piece before) throws IOException {
        int known = before != null && before.chunk == piece.chunk ? before.from + before.bytes.length : piece.from;
        int skip = known - piece.from;
        if (skip < piece.bytes.length) {
            file.write(
                    Block.Type.DATA,
                    new EventDecoder.Piece(piece.buffer, piece.chunk, known)
                            .toBytes()
                            .bytes(piece.bytes, skip, piece.bytes.length - skip)
                            .toArray());
        }
    }
}
