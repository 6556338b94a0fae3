package dev.heddle.internal.trace;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;

/// Writes a recording to a file while it is made.
public final class FileSink implements TraceSink {

    private static final int BUFFER_BYTES = 1 << 18;

    private final OutputStream out;
    private final TraceFile.Writer file;
    private final Tables tables;
    private final Tables.Written written = new Tables.Written();

    /// The chunk of each buffer that is partly in the file.
    private final Map<Long, Long> begun = new HashMap<>();

    private long lastTime;

    public FileSink(OutputStream to, Tables tables) throws IOException {
        this.out = new BufferedOutputStream(to, BUFFER_BYTES);
        this.file = new TraceFile.Writer(out);
        this.tables = tables;
    }

    @Override
    public void block(Block.Type type, byte[] payload) throws IOException {
        file.write(type, payload);
    }

    @Override
    public void piece(long buffer, long chunk, int offset, byte[] bytes, int length) throws IOException {
        Long before = begun.put(buffer, chunk);
        int from = before != null && before == chunk ? offset : 0; // a chunk that began before this file: all of it
        file.write(
                Block.Type.DATA,
                new EventDecoder.Piece(buffer, chunk, from)
                        .toBytes()
                        .bytes(bytes, from, length - from)
                        .toArray());
    }

    @Override
    public void ended(long buffer) {
        begun.remove(buffer);
    }

    @Override
    public void complete(long time, long dropped) throws IOException {
        tables.writeNews(file, written);
        mark(Block.Mark.COMPLETE, time, dropped);
        lastTime = time;
        out.flush();
    }

    @Override
    public void strict(long time, long dropped) throws IOException {
        mark(Block.Mark.STRICT, time, dropped);
    }

    /// The recording is over: ends the file at the last time up to which it is complete.
    public void end(long dropped) throws IOException {
        mark(Block.Mark.END, lastTime, dropped);
        out.close();
    }

    /// Closes the file as it is.
    public void abandon() {
        try {
            out.close();
        } catch (IOException _) {
            // it has failed before
        }
    }

    private void mark(Block.Mark kind, long time, long dropped) throws IOException {
        file.write(Block.Type.MARK, markOf(kind, time, dropped));
    }

    static byte[] markOf(Block.Mark kind, long time, long dropped) {
        return new Bytes()
                .unsigned(kind.ordinal())
                .unsigned(time)
                .unsigned(dropped)
                .toArray();
    }
}
