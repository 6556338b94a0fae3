package dev.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.internal.queue.broken.Numbered;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RunBatchTest {
    @Test
    void holdsHalfAQueueAndOneMore() {
        assertThat(RunBatch.CAPACITY).isEqualTo(129);
        assertThat(new RunBatch().remaining()).isEqualTo(129);
    }

    /// Every fill level from every starting point of the ring.
    @Test
    void isFifoAtEveryPosition() {
        var batch = new RunBatch(5);
        for (int start = 0; start < 5; start++) {
            for (int length = 0; length <= 5; length++) {
                Numbered.range(0, length).forEach(batch::add);
                assertThat(batch.size()).isEqualTo(length);
                assertThat(batch.isFull()).isEqualTo(length == 5);
                assertThat(batch.remaining()).isEqualTo(5 - length);
                assertThat(SpillCollector.drain(batch)).isEqualTo(Numbered.range(0, length));
                assertThat(batch.isEmpty()).isTrue();
            }
            batch.add(new Numbered(0));
            batch.poll();
        }
    }

    /// Every number of entries, from every position of the chunk to every position of a ring, of another chunk, and
    /// back.
    @Test
    void manyMoveAtOnce() {
        for (int start = 0; start < 5; start++) {
            for (int target = 0; target < 8; target++) {
                for (int count = 0; count <= 5; count++) {
                    var batch = turned(new RunBatch(5), start);
                    var other = turned(new RunBatch(7), target % 7);
                    var ring = new Runnable[8];
                    Numbered.range(0, 5).forEach(batch::add);

                    batch.pollAll(ring, target, count);
                    other.addAll(ring, target, count);
                    batch.moveTo(other, 5 - count);

                    assertThat(ring).filteredOn(Objects::nonNull).hasSize(count);
                    assertThat(batch.isEmpty()).isTrue();
                    assertThat(SpillCollector.drain(other)).isEqualTo(Numbered.range(0, 5));
                    batch.add(new Numbered(9));
                    assertThat(SpillCollector.drain(batch)).hasSize(1);
                }
            }
        }
    }

    /// An empty chunk whose next entry goes to that slot.
    private static RunBatch turned(RunBatch batch, int slot) {
        for (int i = 0; i < slot; i++) {
            batch.add(new Numbered(0));
            batch.poll();
        }
        return batch;
    }

    @Test
    void aFullChunkRefusesAndKeepsWhatItHas() {
        var batch = new RunBatch(2);
        Numbered.range(0, 2).forEach(batch::add);
        assertThatThrownBy(() -> batch.add(new Numbered(2))).isInstanceOf(IllegalStateException.class);
        assertThat(SpillCollector.drain(batch)).isEqualTo(Numbered.range(0, 2));
    }

    @Test
    void truncateTakesBackTheYoungest() {
        var batch = new RunBatch(4);
        Numbered.range(0, 3).forEach(batch::add);
        batch.poll();
        batch.add(new Numbered(3));
        batch.add(new Numbered(4)); // wraps
        batch.truncate(1);
        assertThat(SpillCollector.drain(batch)).isEqualTo(Numbered.range(1, 2));
    }

    @Test
    void needsRoom() {
        assertThatThrownBy(() -> new RunBatch(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
