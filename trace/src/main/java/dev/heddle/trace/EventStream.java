package dev.heddle.trace;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.TraceEvent;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The events of all buffers, in the order of time. At equal times an event that gives comes before one that takes: see
/// "The order" in `docs/trace-format.md`. Keeps one piece of each buffer in memory.
public final class EventStream implements Closeable {

    private static final Comparator<BufferCursor> ORDER = Comparator.<BufferCursor>comparingLong(
                    it -> it.head().time())
            .thenComparingInt(it -> rank(it.head().kind().order()))
            .thenComparingLong(BufferCursor::buffer);

    private static int rank(EventKind.Order order) {
        return switch (order) {
            case GIVES -> 0;
            case NOTES -> 1;
            case TAKES -> 2;
        };
    }

    private final FileChannel file;
    private final PriorityQueue<BufferCursor> heads = new PriorityQueue<>(ORDER);
    private final long end;

    /// @param end later events are left out
    EventStream(FileChannel file, Collection<DataPieces> buffers, LongFunction<String> names, long end)
            throws IOException {
        this.file = file;
        this.end = end;
        for (DataPieces pieces : buffers) {
            add(new BufferCursor(file, pieces, names));
        }
    }

    private void add(BufferCursor cursor) throws IOException {
        if (cursor.advance() && cursor.head().time() <= end) {
            heads.add(cursor);
        }
    }

    /// The next event; null at the end.
    public @Nullable TraceEvent next() throws IOException {
        BufferCursor first = heads.poll();
        if (first == null) {
            return null;
        }
        TraceEvent event = first.head();
        add(first);
        return event;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
