package dev.heddle.trace;

import dev.heddle.internal.trace.Block;
import dev.heddle.internal.trace.ByteSource;
import dev.heddle.internal.trace.EventDecoder;
import dev.heddle.internal.trace.TraceFile;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A recording: one file, its index in memory, its events read from the file in the order of time.
///
/// What can be used of a file is one *window* of time, in which no event is missing: [#from] to [#to]. Of a damaged
/// file it ends where the file was complete for the last time. If the recorder dropped events, it is the longest part
/// without a gap. [#notes] says so.
public final class Recording {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Path file;
    private final RecordingIndex index;
    private final Header header;
    private final List<String> notes = new ArrayList<>();
    private long from;
    private long to;

    private Recording(Path file, RecordingIndex index, Header header) {
        this.file = file;
        this.index = index;
        this.header = header;
    }

    /// Reads the index of a file.
    ///
    /// @throws RecordingException with one sentence, if the file is no recording, or if nothing of it can be used
    public static Recording open(Path file) throws IOException {
        RecordingIndex index = new RecordingIndex();
        String damage = null;
        try (Counted in = new Counted(Files.newInputStream(file))) {
            TraceFile.Reader reader = new TraceFile.Reader(in);
            try {
                for (Block block = reader.next(); block != null; block = reader.next()) {
                    index.add(block, in.position - CHECK_SUM_BYTES - block.payload().length);
                }
                damage = reader.damage();
            } catch (ByteSource.Damage e) {
                damage = e.getMessage();
            }
        } catch (ByteSource.Damage e) {
            throw new RecordingException("cannot read " + file + ": " + e.getMessage() + ".");
        } catch (NoSuchFileException e) {
            throw new RecordingException("there is no file '" + file + "'.");
        } catch (IOException e) {
            throw new RecordingException("cannot read " + file + ": " + e.getMessage() + ".");
        }
        Header header = index.header;
        if (header == null) {
            throw new RecordingException(
                    "cannot read " + file + ": " + (damage == null ? "it ends after its first line" : damage) + ".");
        }
        Recording recording = new Recording(file, index, header);
        recording.findWindow(damage);
        return recording;
    }

    private static final int CHECK_SUM_BYTES = 4;

    /// Knows how far the file was read.
    private static final class Counted extends FilterInputStream {
        long position;

        Counted(InputStream in) {
            super(new BufferedInputStream(in, 1 << 16));
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            position += next < 0 ? 0 : 1;
            return next;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            position += Math.max(0, read);
            return read;
        }
    }

    // ---- the window

    private void findWindow(@Nullable String damage) throws IOException {
        to = index.complete;
        if (damage != null || !index.hasEnd) {
            String what = damage == null ? "it breaks off" : damage;
            if (to < 0) {
                throw new RecordingException("cannot use " + file + ": " + what
                        + " before the recorder had marked any part of it as complete.");
            }
            notes.add("the recording is not whole: %s; used is what was complete before, up to %s"
                    .formatted(what, seconds(to)));
        }
        if (index.strict < 0 || index.strict > to) {
            throw new RecordingException("cannot use " + file
                    + ": the recording ended before all machines took part in it; record for longer.");
        }
        from = index.strict;
        List<Gap> gaps = gaps();
        if (!gaps.isEmpty()) {
            useLongestPartWithout(gaps);
            notes.add("%,d events were dropped; used is the longest part without a gap, from %s to %s"
                    .formatted(index.dropped, seconds(from), seconds(to)));
        }
    }

    /// From the last event before the missing ones to the chunk after them.
    private record Gap(long begin, long end) {}

    /// The gaps inside the window. The beginnings of flight recordings only move its start.
    private List<Gap> gaps() throws IOException {
        List<Gap> gaps = new ArrayList<>();
        for (RecordingIndex.Hole hole : index.holes) {
            if (hole.time() <= from) {
                continue;
            }
            if (hole.index() == 0) {
                from = Math.min(to, hole.time());
            } else if (hole.time() <= to) {
                gaps.add(new Gap(lastTimeBefore(hole), hole.time()));
            }
        }
        gaps.removeIf(it -> it.end <= from);
        gaps.sort(Comparator.comparingLong(Gap::begin));
        return gaps;
    }

    private long lastTimeBefore(RecordingIndex.Hole hole) throws IOException {
        DataPieces before = new DataPieces(hole.pieces().buffer);
        int first = hole.index() - 1;
        while (hole.pieces().piece(first).offset() > 0) {
            first--;
        }
        for (int i = first; i < hole.index(); i++) {
            before.add(
                    hole.pieces().piece(i),
                    hole.pieces().position(i),
                    hole.pieces().length(i));
        }
        long last = 0;
        try (FileChannel channel = FileChannel.open(file)) {
            BufferCursor cursor = new BufferCursor(channel, before, _ -> "");
            while (cursor.advance()) {
                last = cursor.head().time();
            }
        }
        return last;
    }

    private void useLongestPartWithout(List<Gap> gaps) {
        long begin = from;
        long end = to;
        long longest = -1;
        long start = begin;
        for (Gap gap : gaps) {
            if (gap.begin - start > longest) {
                longest = gap.begin - start;
                from = start;
                to = gap.begin;
            }
            start = Math.max(start, gap.end);
        }
        if (end - start > longest) {
            from = start;
            to = end;
        }
    }

    static String seconds(long nanos) {
        return "%.3f s".formatted(nanos / NANOS_PER_SECOND);
    }

    // ---- what it holds

    public Path file() {
        return file;
    }

    public Header header() {
        return header;
    }

    /// The start of the window, in nanoseconds since the recording began.
    public long from() {
        return from;
    }

    /// The end of the window; events at this time belong to it.
    public long to() {
        return to;
    }

    /// Sentences without a full stop on what is missing; empty if nothing is.
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /// How many events were dropped while it was recorded.
    public long dropped() {
        return index.dropped;
    }

    public Collection<SchedulerInfo> schedulers() {
        return index.schedulers.values();
    }

    /// The buffers of machines, and the buffers that foreign threads share.
    public List<EventDecoder.Buffer> buffers() {
        return index.buffers.values().stream().map(it -> it.buffer).toList();
    }

    public List<ListedThread> threads() {
        return index.threads;
    }

    public List<Remark> remarks() {
        return index.remarks;
    }

    /// The frames of a stack, the innermost first; empty if the number is unknown.
    public List<String> stack(long number) {
        return index.stacks.getOrDefault(number, List.of());
    }

    /// The events up to the end of the window. Those before its start say what the machines had at the start.
    public EventStream events() throws IOException {
        Map<Long, String> names = index.names;
        FileChannel channel = FileChannel.open(file);
        try {
            return new EventStream(channel, index.buffers.values(), id -> names.getOrDefault(id, ""), to);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }
}
