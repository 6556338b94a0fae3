package dev.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.internal.queue.broken.Numbered;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunBatchQueueTest {
    private final RunBatchQueue queue = new RunBatchQueue();

    private void put(int from, int to) {
        for (var entry : Numbered.range(from, to)) {
            if (queue.needsChunk()) {
                queue.recycle(new RunBatch());
            }
            queue.putTail(entry);
        }
    }

    private static RunBatch batch(int from, int to) {
        var batch = new RunBatch();
        Numbered.range(from, to).forEach(batch::add);
        return batch;
    }

    private List<Runnable> drain() {
        var entries = new ArrayList<Runnable>();
        for (Runnable r = queue.get(); r != null; r = queue.get()) {
            entries.add(r);
        }
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.size()).isZero();
        return entries;
    }

    @Test
    void isFifoForEveryLengthAcrossChunks() {
        for (int length = 0; length <= 3 * RunBatch.CAPACITY + 1; length++) {
            put(0, length);
            assertThat(queue.size()).isEqualTo(length);
            assertThat(queue.isEmpty()).isEqualTo(length == 0);
            assertThat(drain()).isEqualTo(Numbered.range(0, length));
        }
    }

    @Test
    void batchesGoToTheTailAndToTheHeadInOrder() {
        put(10, 12);
        queue.putTailBatch(batch(12, 141)); // a full one
        put(141, 150);
        queue.putTailBatch(batch(150, 151)); // a short one: later entries share its chunk
        put(151, 153);
        queue.putHead(batch(5, 10)); // a destroyed processor: its second chunk, then its first
        queue.putHead(batch(0, 5));
        queue.putHead(new RunBatch());
        queue.putTailBatch(new RunBatch());
        assertThat(queue.size()).isEqualTo(153);
        assertThat(drain()).isEqualTo(Numbered.range(0, 153));
    }

    @Test
    void aDrainedLocalQueueKeepsItsOrderAtTheHead() {
        var local = new LocalRunQueue();
        var none = new SpillCollector(LocalRunQueue.CAPACITY);
        Numbered.range(1, 257).forEach(r -> local.put(r, false, none));
        local.put(new Numbered(0), true, none);
        put(257, 300);
        var first = new RunBatch();
        var second = new RunBatch();
        int _ = local.drainInto(first) + local.drainInto(second);
        queue.putHead(second);
        queue.putHead(first);
        assertThat(drain()).isEqualTo(Numbered.range(0, 300));
    }

    /// F35: n = min(max, size, size / procs + 1).
    @Test
    void takesAFairShare() {
        for (int procs = 1; procs <= 9; procs++) {
            for (int size = 0; size <= 400; size += size < 20 ? 1 : 19) {
                for (int max : new int[] {0, 1, 2, 128, 1000}) {
                    put(0, size);
                    var into = new RunBatch(500);
                    int expected = Math.min(max, Math.min(size, size / procs + 1));
                    assertThat(queue.getBatch(procs, max, into)).isEqualTo(expected);
                    assertThat(queue.size()).isEqualTo(size - expected);
                    assertThat(SpillCollector.drain(into)).isEqualTo(Numbered.range(0, expected));
                    assertThat(drain()).isEqualTo(Numbered.range(expected, size));
                }
            }
        }
    }

    @Test
    void takesNoMoreThanFitsIntoTheBatch() {
        put(0, 10);
        var into = new RunBatch(3);
        into.add(new Numbered(-1));
        assertThat(queue.getBatch(1, 128, into)).isEqualTo(2);
        assertThat(drain()).isEqualTo(Numbered.range(2, 10));
    }

    @Test
    void peekShowsWhatGetWouldReturn() {
        assertThat(queue.peek()).isNull();
        put(0, 2 * RunBatch.CAPACITY);
        for (int i = 0; i < 2 * RunBatch.CAPACITY; i++) {
            assertThat(queue.peek()).isEqualTo(new Numbered(i)).isSameAs(queue.peek());
            assertThat(queue.get()).isEqualTo(new Numbered(i));
        }
        assertThat(queue.peek()).isNull();
    }

    @Test
    void putWithoutChunkChangesNothing() {
        assertThat(queue.needsChunk()).isTrue();
        assertThatThrownBy(() -> queue.putTail(new Numbered(0))).isInstanceOf(IllegalStateException.class);
        assertThat(queue.isEmpty()).isTrue();
        put(0, RunBatch.CAPACITY);
        assertThatThrownBy(() -> queue.putTail(new Numbered(0))).isInstanceOf(IllegalStateException.class);
        assertThat(drain()).isEqualTo(Numbered.range(0, RunBatch.CAPACITY));
    }

    @Test
    void inSteadyStateNoChunkIsNeeded() {
        put(0, 1000);
        int next = 1000;
        for (int i = 0; i < 100_000; i++) {
            assertThat(queue.get()).isEqualTo(new Numbered(next - 1000));
            if (queue.needsChunk()) {
                assertThat(i)
                        .as("a chunk once, for the first partial one at the front")
                        .isLessThan(RunBatch.CAPACITY);
                queue.recycle(new RunBatch());
            }
            queue.putTail(new Numbered(next++));
        }
    }

    @Test
    void keepsEmptiedChunksUpToABound() {
        put(0, (RunBatchQueue.MAX_FREE + 10) * RunBatch.CAPACITY);
        drain();
        int kept = 0;
        while (queue.takeChunk() != null) {
            kept++;
        }
        assertThat(kept).isEqualTo(RunBatchQueue.MAX_FREE);
        assertThatThrownBy(() -> queue.recycle(batch(0, 1))).isInstanceOf(IllegalArgumentException.class);
    }
}
