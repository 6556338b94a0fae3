package dev.heddle.internal.trace;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Finds goroutines that were, or still are, runnable for longer than a limit: every goroutine, by the exact times that
/// the machines have written.
///
/// Guarded by the drainer, which calls it like a sink. Any thread may take what was found.
public final class LatencyWatch implements TraceSink {
    /*
     * Idea.       A machine that starts a goroutine does not know since when it was runnable: neither a thread nor a
     *             queue has room for a time. But the events say both, and every event passes the drainer. So the match
     *             is made there, and a machine does nothing for it.
     * Order.      At each moment of completeness, everything up to a time T is here. The events up to T are taken in the
     *             order of time, from all buffers together, as a reader would: so a start never comes before what made
     *             the goroutine runnable. Few buffers have events at a time, so the next one is searched for, not sorted
     *             for.
     * Table.      The goroutines that are runnable, with the time since when. A start removes one and compares. What is
     *             in the table at T for too long still waits; it is reported and removed, so it is reported once.
     * Bounds.     The table has SinceTable.MOST goroutines; further ones are not watched. Events that wait for T have at
     *             most MOST_BYTES; if there are more, they are thrown away, as if they had been dropped.
     * Gaps.       If events were dropped, a start may be among them, and its goroutine would seem to wait for ever. So
     *             the table is emptied: at this T, and at the next one, since some of those drops were after this T.
     */

    /// How much may wait for the next time at which all events up to it are known.
    private static final long MOST_BYTES = 32L << 20;

    /// Marks keys that are numbers of fresh goroutines; the others are ids of threads.
    private static final long FRESH = 1L << 62;

    /// A goroutine that was runnable for too long.
    ///
    /// @param thread  its thread; 0 if it has none yet
    /// @param since   when it became runnable, in nanoseconds since the recording began
    /// @param nanos   how long it was runnable, up to now if it still is
    /// @param isStill whether it still is
    public record Late(long thread, long since, long nanos, boolean isStill) {}

    /// The events of one buffer that were not taken yet.
    private static final class Track {
        final boolean isForeign;
        final EventCursor cursor;
        final Deque<ByteSource> pieces = new ArrayDeque<>();
        long chunk = -1;
        int offset;

        /// Nothing more comes.
        boolean hasEnded;

        /// The cursor has an event that was not taken.
        boolean hasEvent;

        /// The thread that runs on the machine; 0: none.
        long running;

        /// The goroutine that was started last, as a key, and since when it had been runnable; -1: unknown.
        long started;

        long startedSince = -1;

        Track(EventDecoder.Buffer buffer) {
            isForeign = buffer.isForeign();
            cursor = new EventCursor(buffer, /* withTexts= */ false);
        }

        /// Whether there is a next event.
        boolean find() throws ByteSource.Damage {
            while (!hasEvent) {
                ByteSource piece = pieces.peek();
                if (piece == null) {
                    return false;
                }
                if (piece.isAtEnd()) {
                    pieces.remove();
                } else {
                    cursor.read(piece);
                    hasEvent = true;
                }
            }
            return true;
        }

        /// Whether its event comes before that of the other one: at equal times, what gives comes first.
        boolean isBefore(Track other) {
            return cursor.time < other.cursor.time || (cursor.time == other.cursor.time && gives() && !other.gives());
        }

        private boolean gives() {
            return cursor.kind.order() == EventKind.Order.GIVES;
        }

        /// The events are lost; the next piece is taken from the beginning of its chunk.
        void forget() {
            pieces.clear();
            hasEvent = false;
            chunk = -1;
        }
    }

    private final long limitNanos;
    private final Map<Long, Track> tracks = new LinkedHashMap<>();
    private final List<Track> active = new ArrayList<>();
    private final SinceTable runnable = new SinceTable();
    private final AtomicReference<@Nullable Late> found = new AtomicReference<>();

    /// Earlier events tell nothing: some machines did not write yet, or events were lost.
    private long begin = Long.MAX_VALUE;

    private long waiting;
    private boolean isOverflown;
    private long lastDropped;
    private boolean wasBlind;

    public LatencyWatch(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /// The longest wait that was found since the last call; null: none. Any thread.
    public @Nullable Late take() {
        return found.getAndSet(null);
    }

    /// How many buffers it knows. For tests.
    int tracks() {
        return tracks.size();
    }

    @Override
    public void block(Block.Type type, byte[] payload) throws IOException {
        if (type == Block.Type.BUFFER) {
            try {
                EventDecoder.Buffer buffer = EventDecoder.Buffer.of(new ByteSource(payload));
                tracks.put(buffer.id(), new Track(buffer));
            } catch (ByteSource.Damage e) {
                throw new IOException(e.getMessage(), e);
            }
        }
    }

    @Override
    public void ended(long buffer) {
        Track track = tracks.get(buffer);
        if (track != null) {
            track.hasEnded = true;
        }
    }

    @Override
    public void piece(long buffer, long chunk, int offset, byte[] bytes, int length) throws IOException {
        Track track = tracks.get(buffer);
        if (track == null) {
            throw new IOException("buffer " + buffer + " is unknown");
        }
        int from = track.chunk == chunk && track.offset == offset ? offset : 0;
        track.chunk = chunk;
        track.offset = length;
        waiting += length - from;
        if (waiting > MOST_BYTES) {
            tracks.values().forEach(Track::forget);
            waiting = 0;
            isOverflown = true;
        } else {
            track.pieces.add(new ByteSource(Arrays.copyOfRange(bytes, from, length)));
        }
    }

    @Override
    public void strict(long time, long dropped) {
        begin = time;
        lastDropped = dropped;
    }

    @Override
    public void complete(long time, long dropped) throws IOException {
        try {
            takeAll(time);
        } catch (ByteSource.Damage e) {
            throw new IOException(e.getMessage(), e);
        }
        boolean isBlind = dropped != lastDropped || isOverflown;
        lastDropped = dropped;
        isOverflown = false;
        if (isBlind || wasBlind) {
            runnable.clear();
            begin = Math.max(begin, time); // the chunks that were thrown away come again from their beginnings
        }
        wasBlind = isBlind;
        runnable.removeBefore(time - limitNanos, (key, since) -> report(key, since, time, true));
        runnable.trim();
        tracks.values().removeIf(it -> it.hasEnded && it.pieces.isEmpty() && !it.hasEvent);
        waiting = 0;
        for (Track track : tracks.values()) {
            for (ByteSource piece : track.pieces) {
                waiting += piece.remaining();
            }
        }
    }

    /// Takes all events up to the time, in their order.
    private void takeAll(long time) throws ByteSource.Damage {
        active.clear();
        for (Track track : tracks.values()) {
            if (track.find() && track.cursor.time <= time) {
                active.add(track);
            }
        }
        while (!active.isEmpty()) {
            Track first = active.getFirst();
            Track second = null;
            for (int i = 1; i < active.size(); i++) {
                Track each = active.get(i);
                if (each.isBefore(first)) {
                    second = first;
                    first = each;
                } else if (second == null || each.isBefore(second)) {
                    second = each;
                }
            }
            do {
                take(first);
                first.hasEvent = false;
            } while (first.find() && first.cursor.time <= time && (second == null || !second.isBefore(first)));
            if (!first.hasEvent || first.cursor.time > time) {
                active.remove(first);
            }
        }
    }

    private void take(Track track) {
        EventCursor event = track.cursor;
        long[] numbers = event.numbers;
        switch (event.kind) {
            case CHUNK -> track.running = track.isForeign ? 0 : numbers[1];
            case GO_CREATE -> isRunnable(FRESH | numbers[0], event.time);
            case THREAD_CREATE -> isRunnable(numbers[0], event.time);
            case GO_READY -> {
                if (numbers[1] != Place.GLOBAL_AGAIN.ordinal()) { // it has been runnable before, or runs
                    isRunnable(numbers[0], event.time);
                }
            }
            case GO_REFUSED -> {
                long _ = runnable.remove(numbers[0]);
            }
            case GO_START -> starts(track, numbers[0], numbers[0]);
            case GO_START_FRESH -> starts(track, FRESH | numbers[0], numbers[1]);
            case GO_YIELD -> {
                if (track.running != 0) {
                    isRunnable(track.running, event.time);
                }
                track.running = 0;
            }
            case GO_VOID -> {
                if (track.startedSince >= 0) { // nothing was started: it waits on
                    isRunnable(track.started, track.startedSince);
                }
                track.running = 0;
            }
            case GO_PARK, GO_END -> track.running = 0;
            default -> {
                // tells nothing of goroutines
            }
        }
    }

    private void isRunnable(long key, long time) {
        if (time >= begin && key != FRESH) { // that one was created while nothing was recorded
            boolean _ = runnable.put(key, time);
        }
    }

    private void starts(Track track, long key, long thread) {
        long since = runnable.remove(key);
        track.running = thread;
        track.started = key;
        track.startedSince = since;
        if (since >= 0 && track.cursor.time - since > limitNanos) {
            report(thread, since, track.cursor.time, false);
        }
    }

    private void report(long key, long since, long until, boolean isStill) {
        Late late = new Late((key & FRESH) != 0 ? 0 : key, since, until - since, isStill);
        found.accumulateAndGet(late, (old, more) -> old == null || more.nanos > old.nanos ? more : old);
    }
}
