package dev.heddle.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Events are written by hand, so that their times are known.
class LatencyWatchTest {

    private static final long LIMIT = 50;

    private final LatencyWatch watch = new LatencyWatch(LIMIT);
    private final Map<Long, Chunk> chunks = new HashMap<>();

    LatencyWatchTest() throws IOException {
        watch.strict(0, 0);
    }

    /// The first chunk of a buffer.
    private static final class Chunk {
        private final boolean isForeign;
        private final Bytes bytes = new Bytes();
        private long time;
        private long goroutine;
        private int given;

        Chunk(boolean isForeign) {
            this.isForeign = isForeign;
        }

        void event(long at, EventKind kind, long... numbers) {
            bytes.put(kind.code()).unsigned(kind == EventKind.CHUNK ? at : at - time);
            time = at;
            if (isForeign && kind != EventKind.CHUNK) {
                bytes.unsigned(99).signed(0);
            }
            int next = 0;
            for (Field.Code code : kind.codes) {
                switch (code) {
                    case SIGNED -> bytes.signed(numbers[next++]);
                    case GOROUTINE -> {
                        bytes.signed(numbers[next] - goroutine);
                        goroutine = numbers[next++];
                    }
                    case UNSIGNED, NAME -> bytes.unsigned(numbers[next++]);
                    case TEXT -> bytes.text("a text");
                }
            }
        }
    }

    private Chunk buffer(long id, boolean isForeign, long running) throws IOException {
        watch.block(
                Block.Type.BUFFER,
                new EventDecoder.Buffer(id, isForeign ? -1 : 0, isForeign ? -1 : (int) id, 0, 100 + id, "")
                        .toPayload());
        Chunk chunk = new Chunk(isForeign);
        chunks.put(id, chunk);
        chunk.event(0, EventKind.CHUNK, -1, running, 0);
        return chunk;
    }

    private Chunk machine(long id) throws IOException {
        return buffer(id, /* isForeign= */ false, 0);
    }

    private void give(long id) throws IOException {
        Chunk chunk = chunks.get(id);
        watch.piece(id, 0, chunk.given, chunk.bytes.toArray(), chunk.bytes.size());
        chunk.given = chunk.bytes.size();
    }

    private LatencyWatch.Late after(long time, long... order) throws IOException {
        for (long id : order) {
            give(id);
        }
        watch.complete(time, 0);
        return watch.take();
    }

    @Test
    void aWaitUpToTheLimitIsLeftAlone() throws IOException {
        Chunk first = machine(1);
        first.event(10, EventKind.GO_READY, 7, Place.NEXT.ordinal());
        first.event(10 + LIMIT, EventKind.GO_START, 7, 0);
        assertThat(after(500, 1)).isNull();
    }

    @Test
    void aLongerOneIsFoundWithItsTimes() throws IOException {
        Chunk first = machine(1);
        first.event(10, EventKind.GO_READY, 7, Place.NEXT.ordinal());
        first.event(11 + LIMIT, EventKind.GO_START, 7, 0);
        assertThat(after(500, 1)).isEqualTo(new LatencyWatch.Late(7, 10, LIMIT + 1, false));
        assertThat(watch.take()).as("once").isNull();
    }

    /// The drainer empties one buffer after the other: so the start may come first, with events of later waits behind
    /// it.
    @Test
    void theOrderOfBuffersDoesNotMatter() throws IOException {
        for (int turn = 0; turn < 2; turn++) {
            Chunk one = machine(1);
            Chunk two = machine(2);
            Chunk first = turn == 0 ? one : two;
            Chunk second = turn == 0 ? two : one;
            for (long begin = 0; begin < 1000; begin += 100) {
                first.event(begin + 10, EventKind.GO_READY, 7, Place.NEXT.ordinal());
                second.event(begin + 20, EventKind.GO_START, 7, 0);
                second.event(begin + 30, EventKind.GO_PARK, 0, 0);
            }
            assertThat(after(1000, 1, 2)).isNull();
        }
    }

    /// What is given after the moment of completeness waits for the next one.
    @Test
    void laterEventsAreTakenLater() throws IOException {
        Chunk first = machine(1);
        Chunk second = machine(2);
        second.event(20, EventKind.GO_START, 7, 0);
        second.event(30, EventKind.GO_PARK, 0, 0);
        second.event(120, EventKind.GO_START, 7, 0);
        first.event(10, EventKind.GO_READY, 7, Place.NEXT.ordinal());
        assertThat(after(50, 2, 1)).isNull();
        first.event(60, EventKind.GO_READY, 7, Place.NEXT.ordinal());
        assertThat(after(110, 1)).as("exactly the limit").isNull();
        assertThat(after(200)).isEqualTo(new LatencyWatch.Late(7, 60, 60, false));
    }

    @Test
    void whoStillWaitsIsFoundOnce() throws IOException {
        Chunk first = machine(1);
        first.event(10, EventKind.THREAD_CREATE, 7, 0, Place.TAIL.ordinal());
        assertThat(after(10 + LIMIT, 1)).isNull();
        assertThat(after(11 + LIMIT)).isEqualTo(new LatencyWatch.Late(7, 10, LIMIT + 1, true));
        assertThat(after(500)).isNull();
        first.event(600, EventKind.GO_START, 7, 0);
        assertThat(after(700, 1)).isNull();
    }

    @Test
    void freshGoroutinesAreFoundByTheirNumbers() throws IOException {
        Chunk first = machine(1);
        first.event(10, EventKind.GO_CREATE, 7, 0, Place.NEXT.ordinal());
        first.event(20, EventKind.GO_CREATE, 8, 0, Place.NEXT.ordinal());
        first.event(30, EventKind.GO_START_FRESH, 8, 1008, 0, 0);
        first.event(80, EventKind.GO_END);
        first.event(80, EventKind.GO_START_FRESH, 7, 1008, 0, 0);
        first.event(85, EventKind.GO_END);
        first.event(90, EventKind.GO_START_FRESH, 0, 1008, 0, 0); // created while nothing was recorded
        assertThat(after(500, 1)).isEqualTo(new LatencyWatch.Late(1008, 10, 70, false));
        first.event(600, EventKind.GO_CREATE, 9, 0, Place.NEXT.ordinal());
        assertThat(after(700, 1)).isEqualTo(new LatencyWatch.Late(0, 600, 100, true));
    }

    @Test
    void aThreadThatYieldsIsRunnable() throws IOException {
        Chunk first = buffer(1, /* isForeign= */ false, /* running= */ 7);
        first.event(10, EventKind.GO_YIELD, 0);
        first.event(20, EventKind.GO_START, 8, 0);
        first.event(70, EventKind.GO_YIELD, 1);
        first.event(70, EventKind.GO_START, 7, 0);
        assertThat(after(100, 1)).isEqualTo(new LatencyWatch.Late(7, 10, 60, false));
        assertThat(after(200)).isEqualTo(new LatencyWatch.Late(8, 70, 130, true));
    }

    @Test
    void foreignThreadsWakeToo() throws IOException {
        Chunk others = buffer(1, /* isForeign= */ true, 0);
        Chunk second = machine(2);
        others.event(10, EventKind.THREAD_CREATE, 8, 0, Place.GLOBAL.ordinal());
        others.event(10, EventKind.GO_READY, 7, Place.GLOBAL.ordinal());
        second.event(90, EventKind.GO_START, 7, 0);
        others.event(95, EventKind.GO_READY, 7, Place.GLOBAL_AGAIN.ordinal()); // while it runs
        second.event(95, EventKind.GO_PARK, 0, 0);
        second.event(96, EventKind.GO_START, 8, 0);
        assertThat(after(100, 2, 1)).isEqualTo(new LatencyWatch.Late(8, 10, 86, false));
        assertThat(after(500)).isNull();
    }

    @Test
    void whatNeverHappenedIsNoWait() throws IOException {
        Chunk first = machine(1);
        first.event(10, EventKind.GO_READY, 7, Place.NEXT.ordinal());
        first.event(11, EventKind.GO_REFUSED, 7);
        assertThat(after(500, 1)).isNull();
        first.event(510, EventKind.GO_READY, 7, Place.NEXT.ordinal());
        first.event(520, EventKind.GO_START, 7, 0);
        first.event(520, EventKind.GO_VOID); // nothing ran: it waits on
        first.event(570, EventKind.GO_START, 7, 0);
        assertThat(after(600, 1)).isEqualTo(new LatencyWatch.Late(7, 510, 60, false));
    }

    /// Before that, some machines do not write yet.
    @Test
    void onlyTheStrictPartCounts() throws IOException {
        watch.strict(100, 0);
        Chunk first = machine(1);
        first.event(10, EventKind.GO_READY, 7, Place.NEXT.ordinal());
        assertThat(after(500, 1)).isNull();
    }

    /// A start may be among the events that were dropped.
    @Test
    void afterAGapAllBeginsAnew() throws IOException {
        Chunk first = machine(1);
        first.event(10, EventKind.GO_READY, 7, Place.NEXT.ordinal());
        give(1);
        watch.complete(100, 3);
        assertThat(watch.take()).isNull();
        first.event(110, EventKind.GO_READY, 8, Place.NEXT.ordinal()); // its start may be one of the three
        give(1);
        watch.complete(200, 3);
        assertThat(watch.take()).isNull();
        first.event(210, EventKind.GO_READY, 9, Place.NEXT.ordinal());
        give(1);
        watch.complete(300, 3);
        assertThat(watch.take()).isEqualTo(new LatencyWatch.Late(9, 210, 90, true));
    }

    /// More than it may keep until the next moment of completeness: it begins anew, from the chunks' beginnings.
    @Test
    void memoryIsBounded() throws IOException {
        Chunk first = machine(1);
        first.event(10, EventKind.GO_READY, 7, Place.NEXT.ordinal());
        give(1);
        machine(2);
        byte[] damage = new byte[1 << 20]; // would be refused if it were read
        for (int chunk = 0; chunk < 32; chunk++) {
            watch.piece(2, chunk, 0, damage, damage.length);
        }
        assertThat(after(500)).isNull();
        assertThat(after(510)).isNull();
        first.event(520, EventKind.GO_READY, 8, Place.NEXT.ordinal());
        first.event(580, EventKind.GO_START, 8, 0);
        assertThat(after(600, 1)).isEqualTo(new LatencyWatch.Late(8, 520, 60, false));
    }

    @Test
    void aMachineThatHasEndedIsForgotten() throws IOException {
        Chunk first = machine(1);
        first.event(10, EventKind.GO_READY, 7, Place.NEXT.ordinal());
        first.event(20, EventKind.M_END);
        give(1);
        watch.ended(1);
        assertThat(watch.tracks()).isEqualTo(1);
        assertThat(after(500)).isEqualTo(new LatencyWatch.Late(7, 10, 490, true));
        assertThat(watch.tracks()).isZero();
    }
}
