package dev.heddle.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The flight recorder keeps the last rounds, and what it keeps can be decoded.
class RingSinkTest {

    private static final long SECOND = 1_000_000_000;

    private final TraceBuffer buffer = new TraceBuffer(1, System.nanoTime(), null, 2, () -> {});
    private long time;

    private void fill(RingSink ring, int events) {
        for (int i = 0; i < events; i++) {
            buffer.goReady(i, Place.TAIL);
            if (i % 100 == 0) {
                drain(ring);
            }
        }
        drain(ring);
        time += SECOND;
        ring.complete(time, 0);
    }

    private void drain(RingSink ring) {
        long _ = buffer.drain((chunk, offset, bytes, length) -> ring.piece(1, chunk, offset, bytes, length));
    }

    private static RingSink ring(long bytes, long nanos) throws IOException {
        RingSink ring = new RingSink(bytes, nanos, new Tables());
        ring.block(Block.Type.BUFFER, new EventDecoder.Buffer(1, 0, 0, 0, 7, "worker").toPayload());
        ring.strict(0, 0);
        return ring;
    }

    /// What a snapshot has.
    private record Snapshot(List<TraceEvent> events, long strict, long end) {

        static Snapshot of(RingSink ring) throws Exception {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ring.writeTo(out, new byte[0], "why");
            List<TraceEvent> events = new ArrayList<>();
            long strict = -1;
            long end = -1;
            EventDecoder decoder = null;
            TraceFile.Reader reader = new TraceFile.Reader(new ByteArrayInputStream(out.toByteArray()));
            for (Block block = reader.next(); block != null; block = reader.next()) {
                ByteSource in = new ByteSource(block.payload());
                switch (block.type()) {
                    case BUFFER -> decoder = new EventDecoder(EventDecoder.Buffer.of(in), _ -> "");
                    case DATA -> decoder.decode(EventDecoder.Piece.of(in), in, events::add);
                    case MARK -> {
                        int kind = in.count(2);
                        long at = in.unsigned();
                        if (kind == Block.Mark.STRICT.ordinal()) {
                            strict = at;
                        } else {
                            end = at;
                        }
                    }
                    default -> assertThat(block.type()).isIn(Block.Type.HEADER, Block.Type.REMARK);
                }
            }
            assertThat(reader.damage()).isNull();
            return new Snapshot(events, strict, end);
        }

        List<Long> threads() {
            return events.stream()
                    .filter(it -> it.kind() == EventKind.GO_READY)
                    .map(TraceEvent::a)
                    .toList();
        }
    }

    @Test
    void everythingIsThereAsLongAsItFits() throws Exception {
        RingSink ring = ring(1 << 20, 100 * SECOND);
        fill(ring, 250);
        fill(ring, 250);
        Snapshot snapshot = Snapshot.of(ring);
        assertThat(snapshot.threads()).hasSize(500);
        assertThat(snapshot.threads().subList(250, 500))
                .isEqualTo(snapshot.threads().subList(0, 250));
        assertThat(snapshot.strict()).isZero();
        assertThat(snapshot.end()).isEqualTo(2 * SECOND);
    }

    /// The window begins where the last dropped round ended, in the middle of a chunk.
    @Test
    void oldRoundsAreDropped() throws Exception {
        RingSink ring = ring(1 << 20, 2 * SECOND);
        for (int round = 0; round < 10; round++) {
            fill(ring, 100);
        }
        Snapshot snapshot = Snapshot.of(ring);
        assertThat(snapshot.strict()).isEqualTo(7 * SECOND);
        assertThat(snapshot.end()).isEqualTo(10 * SECOND);
        assertThat(snapshot.threads()).hasSizeGreaterThanOrEqualTo(300).endsWith(97L, 98L, 99L);
        assertThat(snapshot.events()).isSortedAccordingTo((a, b) -> Long.compare(a.time(), b.time()));
    }

    /// Size wins over age.
    @Test
    void memoryIsBounded() throws Exception {
        RingSink ring = ring(100_000, 1000 * SECOND);
        for (int round = 0; round < 50; round++) {
            fill(ring, 5_000);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ring.writeTo(out, new byte[0], "why");
        assertThat(out.size()).isLessThan(150_000);
        assertThat(Snapshot.of(ring).strict()).isGreaterThan(40 * SECOND);
        assertThat(Snapshot.of(ring).threads()).endsWith(4_998L, 4_999L);
    }

    /// Machines come and go for days: what the recorder knows of them goes with their events.
    @Test
    void aBufferThatHasEndedIsForgottenWithItsEvents() throws Exception {
        RingSink ring = ring(1 << 20, 2 * SECOND);
        fill(ring, 100);
        ring.ended(1);
        fill(ring, 1);
        assertThat(Snapshot.of(ring).threads()).hasSize(101);
        for (int round = 0; round < 4; round++) {
            time += SECOND;
            ring.complete(time, 0);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ring.writeTo(out, new byte[0], "why");
        TraceFile.Reader reader = new TraceFile.Reader(new ByteArrayInputStream(out.toByteArray()));
        for (Block block = reader.next(); block != null; block = reader.next()) {
            assertThat(block.type()).isNotIn(Block.Type.BUFFER, Block.Type.DATA);
        }
    }

    @Test
    void aFullRoundShouldEnd() throws IOException {
        RingSink ring = ring(100_000, SECOND);
        assertThat(ring.isHungry()).isFalse();
        for (int i = 0; i < 5_000; i++) {
            buffer.goReady(i, Place.TAIL);
        }
        drain(ring);
        assertThat(ring.isHungry()).isTrue();
    }
}
