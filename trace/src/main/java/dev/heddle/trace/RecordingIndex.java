package dev.heddle.trace;

import dev.heddle.internal.trace.Block;
import dev.heddle.internal.trace.ByteSource;
import dev.heddle.internal.trace.EventDecoder.Buffer;
import dev.heddle.internal.trace.EventDecoder.Piece;
import dev.heddle.internal.trace.EventKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a reader must know of a file before it can read the events: everything but the events, and where these are.
final class RecordingIndex {

    /// Events of a buffer are missing before the chunk that begins with the piece `index`, at `time`.
    record Hole(DataPieces pieces, int index, long time) {}

    @Nullable
    Header header;

    final Map<Integer, SchedulerInfo> schedulers = new LinkedHashMap<>();
    final Map<Long, DataPieces> buffers = new LinkedHashMap<>();
    final Map<Long, String> names = new HashMap<>();
    final Map<Long, List<String>> stacks = new HashMap<>();
    final List<ListedThread> threads = new ArrayList<>();
    final List<Remark> remarks = new ArrayList<>();
    final List<Hole> holes = new ArrayList<>();

    /// From when on every machine writes; -1: it never came so far.
    long strict = -1;

    /// Up to when all events are in the file; -1: unknown.
    long complete = -1;

    /// Whether the recording ended in good order.
    boolean hasEnd;

    /// How many events were dropped, at the last mark.
    long dropped;

    /// @param position where the content of the block begins in the file
    void add(Block block, long position) throws ByteSource.Damage {
        ByteSource in = new ByteSource(block.payload());
        if (header == null && block.type() != Block.Type.HEADER) {
            throw new ByteSource.Damage("its first block is no header");
        }
        switch (block.type()) {
            case HEADER -> header = Header.of(in);
            case SCHEDULER -> {
                SchedulerInfo scheduler = SchedulerInfo.of(in);
                schedulers.putIfAbsent(scheduler.number(), scheduler);
            }
            case BUFFER -> {
                Buffer buffer = Buffer.of(in);
                buffers.putIfAbsent(buffer.id(), new DataPieces(buffer));
            }
            case DATA -> addData(in, position, block.payload().length);
            case NAMES -> {
                while (!in.isAtEnd()) {
                    names.put(in.unsigned(), in.text());
                }
            }
            case STACKS -> addStacks(in);
            case THREADS -> addThreads(in);
            case MARK -> addMark(in);
            case REMARK -> remarks.add(new Remark(in.unsigned(), in.text()));
        }
    }

    private void addStacks(ByteSource in) throws ByteSource.Damage {
        while (!in.isAtEnd()) {
            long number = in.unsigned();
            List<String> frames = new ArrayList<>();
            for (int left = in.count(in.remaining()); left > 0; left--) {
                frames.add(in.text());
            }
            stacks.put(number, List.copyOf(frames));
        }
    }

    private void addThreads(ByteSource in) throws ByteSource.Damage {
        int scheduler = (int) in.unsigned();
        long time = in.unsigned();
        while (!in.isAtEnd()) {
            threads.add(new ListedThread(scheduler, time, in.unsigned(), in.text(), in.text(), in.text()));
        }
    }

    private void addMark(ByteSource in) throws ByteSource.Damage {
        Block.Mark mark = Block.Mark.values()[in.count(Block.Mark.values().length - 1)];
        long time = in.unsigned();
        dropped = in.unsigned();
        switch (mark) {
            case STRICT -> strict = time;
            case COMPLETE -> complete = time;
            case END -> {
                complete = time;
                hasEnd = true;
            }
        }
    }

    private void addData(ByteSource in, long position, int size) throws ByteSource.Damage {
        Piece piece = Piece.of(in);
        DataPieces pieces = buffers.get(piece.buffer());
        if (pieces == null) {
            throw new ByteSource.Damage("it has events of an unknown buffer, " + piece.buffer());
        }
        int length = in.remaining();
        long begin = position + size - length;
        if (piece.offset() == 0 && length > 0) {
            int last = pieces.size() - 1;
            long expected = last < 0 ? 0 : pieces.piece(last).chunk() + 1;
            if (in.next() != EventKind.CHUNK.code()) {
                throw new ByteSource.Damage("a chunk begins with another event");
            }
            long time = in.unsigned();
            in.signed();
            in.unsigned();
            if (in.unsigned() > 0 || piece.chunk() != expected) {
                holes.add(new Hole(pieces, last + 1, time));
            }
        }
        pieces.add(piece, begin, length);
    }
}
