package dev.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.internal.queue.broken.Numbered;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every operation for every length 0 .. 256, by one thread; what threads do to each other is checked by Lincheck and
/// jcstress.
class LocalRunQueueTest {
    private static final int CAPACITY = LocalRunQueue.CAPACITY;

    private final LocalRunQueue queue = new LocalRunQueue();
    private final SpillCollector spills = new SpillCollector(CAPACITY);

    private static void fill(LocalRunQueue queue, int from, int to) {
        var noSpill = new SpillCollector(queue.capacity());
        for (int i = from; i < to; i++) {
            queue.put(new Numbered(i), /* next= */ false, noSpill);
        }
        assertThat(noSpill.reserved).isZero();
    }

    /// Moves the indices of an empty queue on, so that a test also meets the seam of the ring.
    private static void turn(LocalRunQueue queue, int steps) {
        for (int i = 0; i < steps; i++) {
            fill(queue, -1, 0);
            queue.get();
        }
    }

    private static List<Runnable> drain(LocalRunQueue queue) {
        var entries = new ArrayList<Runnable>();
        for (Runnable r = queue.get(); r != null; r = queue.get()) {
            entries.add(r);
        }
        return entries;
    }

    private static RunBatch batchOf(List<Runnable> entries) {
        var batch = new RunBatch(Math.max(1, entries.size()));
        entries.forEach(batch::add);
        return batch;
    }

    /// Go's TestSchedLocalQueue.
    @Test
    void testSchedLocalQueue() {
        for (int length = 0; length <= CAPACITY; length++) {
            assertThat(queue.get()).isNull();
            fill(queue, 0, length);
            assertThat(queue.size()).isEqualTo(length);
            assertThat(queue.isFull()).isEqualTo(length == CAPACITY);
            for (int i = 0; i < length; i++) {
                assertThat(queue.isEmpty()).isFalse();
                assertThat(queue.peekHead()).isEqualTo(new Numbered(i));
                assertThat(queue.get()).isEqualTo(new Numbered(i));
            }
            assertThat(queue.get()).isNull();
            assertThat(queue.isEmpty()).isTrue();
        }
    }

    /// Go's TestSchedLocalQueueSteal: of every length the thief gets half, rounded up, each entry exactly once;
    /// plus order.
    @Test
    void testSchedLocalQueueSteal() {
        for (int length = 0; length <= CAPACITY; length++) {
            var victim = new LocalRunQueue();
            var thief = new LocalRunQueue();
            turn(victim, length * 7);
            turn(thief, length * 3);
            fill(victim, 0, length);
            var youngest = thief.stealFrom(victim, StealRule.GO, /* includeRunNext= */ false);
            int stolen = length - length / 2;
            if (length == 0) {
                assertThat(youngest).isNull();
            } else {
                assertThat(youngest).isEqualTo(new Numbered(stolen - 1));
            }
            assertThat(drain(thief)).isEqualTo(Numbered.range(0, Math.max(0, stolen - 1)));
            assertThat(drain(victim)).isEqualTo(Numbered.range(stolen, length));
        }
    }

    /// While the owner moves entries from `runNext` into the ring, no other thread sees the queue empty.
    /// Go: TestSchedLocalQueueEmpty
    @Test
    void testSchedLocalQueueEmpty() throws Exception {
        int rounds = 20_000;
        var emptySeen = new AtomicInteger();
        var current = new LocalRunQueue[] {null};
        var start = new CyclicBarrier(2, () -> {
            current[0] = new LocalRunQueue();
            current[0].put(new Numbered(0), true, spills);
        });
        var end = new CyclicBarrier(2);
        var observer = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < rounds; i++) {
                await(start);
                if (current[0].isEmpty()) {
                    emptySeen.incrementAndGet();
                }
                await(end);
            }
        });
        for (int i = 0; i < rounds; i++) {
            await(start);
            current[0].put(new Numbered(1), true, spills); // kicks 0 into the ring
            assertThat(current[0].takeNext()).isEqualTo(new Numbered(1));
            await(end);
        }
        observer.join();
        assertThat(emptySeen).hasValue(0);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Nested
    class Put {
        @Test
        void nextRunsFirstAndDisplacesTheFormerToTheTail() {
            fill(queue, 0, 2);
            queue.put(new Numbered(2), true, spills);
            queue.put(new Numbered(3), true, spills);
            queue.put(new Numbered(4), true, spills);
            assertThat(queue.size()).isEqualTo(4);
            assertThat(drain(queue))
                    .isEqualTo(List.of(
                            new Numbered(4), new Numbered(0), new Numbered(1), new Numbered(2), new Numbered(3)));
        }

        @Test
        void spillsTheOlderHalfAndTheEntryWhenFull() {
            for (int shift = 0; shift < CAPACITY; shift += 37) {
                var queue = new LocalRunQueue();
                var spills = new SpillCollector(CAPACITY);
                turn(queue, shift);
                fill(queue, 0, CAPACITY);
                queue.put(new Numbered(CAPACITY), false, spills);
                var expected = new ArrayList<>(Numbered.range(0, CAPACITY / 2));
                expected.add(new Numbered(CAPACITY));
                assertThat(spills.spills).isEqualTo(List.of(expected));
                assertThat(expected).hasSize(129);
                assertThat(drain(queue)).isEqualTo(Numbered.range(CAPACITY / 2, CAPACITY));
                assertThat(spills.released).isZero();
            }
        }

        @Test
        void spillsTheDisplacedNextNotTheNewEntry() {
            fill(queue, 0, CAPACITY);
            queue.put(new Numbered(1000), true, spills);
            assertThat(spills.reserved)
                    .as("runNext was empty: nothing goes to the ring")
                    .isZero();
            queue.put(new Numbered(1001), true, spills);
            assertThat(spills.all()).hasSize(129).last().isEqualTo(new Numbered(1000));
            assertThat(queue.takeNext()).isEqualTo(new Numbered(1001));
        }

        @Test
        void changesNothingWhenMemoryIsExhausted() {
            queue.put(new Numbered(1000), true, spills);
            fill(queue, 0, CAPACITY);
            spills.isMemoryExhausted = true;
            for (boolean next : new boolean[] {false, true}) {
                assertThatThrownBy(() -> queue.put(new Numbered(2000), next, spills))
                        .isInstanceOf(OutOfMemoryError.class);
            }
            assertThat(queue.stranded).isNull();
            assertThat(queue.takeNext()).isEqualTo(new Numbered(1000));
            assertThat(drain(queue)).isEqualTo(Numbered.range(0, CAPACITY));
        }

        @Test
        void releasesTheChunkWhenAThiefMadeRoom() {
            var thief = new LocalRunQueue();
            fill(queue, 0, CAPACITY);
            spills.onReserve = () -> thief.stealFrom(queue, StealRule.ONE, false);
            queue.put(new Numbered(CAPACITY), false, spills);
            assertThat(spills.released).isEqualTo(1);
            assertThat(spills.spills).isEmpty();
            assertThat(drain(queue)).isEqualTo(Numbered.range(1, CAPACITY + 1));
        }

        @Test
        void releasesTheChunkWhenAThiefTookRunNext() {
            var thief = new LocalRunQueue();
            queue.put(new Numbered(1000), true, spills);
            fill(queue, 0, CAPACITY);
            spills.onReserve = () -> {
                while (thief.stealFrom(queue, StealRule.ONE, true) != null) {}
            };
            queue.put(new Numbered(1001), true, spills);
            assertThat(spills.released).isEqualTo(1);
            assertThat(drain(queue)).containsExactly(new Numbered(1001));
        }

        @Test
        void keepsTheEntryInHandWhenAnErrorStrikes() {
            queue.put(new Numbered(1000), true, spills);
            fill(queue, 0, CAPACITY);
            var broken = new SpillCollector(CAPACITY) {
                @Override
                public void accept(RunBatch batch) {
                    throw new StackOverflowError("says the test");
                }
            };
            assertThatThrownBy(() -> queue.put(new Numbered(1001), true, broken))
                    .isInstanceOf(StackOverflowError.class);
            assertThat(queue.stranded).isEqualTo(new Numbered(1000));
            assertThat(queue.takeNext()).isEqualTo(new Numbered(1001));
        }

        @Test
        void refusesAChunkThatIsTooSmallBeforeChangingAnything() {
            fill(queue, 0, CAPACITY);
            assertThatThrownBy(() -> queue.put(new Numbered(-1), false, new SpillCollector(4)))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(drain(queue)).isEqualTo(Numbered.range(0, CAPACITY));
        }

        @Test
        void acceptsTheSameEntryTwice() {
            var twice = new Numbered(7);
            queue.put(twice, false, spills);
            queue.put(twice, true, spills);
            queue.put(twice, true, spills);
            assertThat(drain(queue)).containsExactly(twice, twice, twice);
        }
    }

    @Nested
    class PutBatch {
        /// Every length of the queue with batches of every kind of size: what fits goes in, the rest stays.
        @Test
        void movesWhatFitsAndLeavesTheRest() {
            for (int length = 0; length <= CAPACITY; length++) {
                for (int size : new int[] {0, 1, 2, 127, 128, 129, CAPACITY - length, CAPACITY - length + 1}) {
                    turn(queue, length);
                    fill(queue, 0, length);
                    var batch = batchOf(Numbered.range(length, length + size));
                    int moved = queue.putBatch(batch);
                    assertThat(moved).isEqualTo(Math.min(size, CAPACITY - length));
                    assertThat(drain(queue)).isEqualTo(Numbered.range(0, length + moved));
                    assertThat(SpillCollector.drain(batch)).isEqualTo(Numbered.range(length + moved, length + size));
                }
            }
        }

        @Test
        void movesEveryBatchIntoAnEmptyQueue() {
            for (int size = 0; size <= CAPACITY + 1; size++) {
                var batch = batchOf(Numbered.range(0, size));
                assertThat(queue.putBatch(batch)).isEqualTo(Math.min(size, CAPACITY));
                assertThat(batch.size()).isEqualTo(Math.max(0, size - CAPACITY));
                assertThat(drain(queue)).isEqualTo(Numbered.range(0, Math.min(size, CAPACITY)));
            }
        }
    }

    @Nested
    class Take {
        @Test
        void getPrefersRunNext() {
            fill(queue, 0, 1);
            queue.put(new Numbered(1), true, spills);
            assertThat(queue.peekNext()).isEqualTo(new Numbered(1));
            assertThat(queue.hasNext()).isTrue();
            assertThat(queue.get()).isEqualTo(new Numbered(1));
            assertThat(queue.hasNext()).isFalse();
            assertThat(queue.takeNext()).isNull();
            assertThat(queue.get()).isEqualTo(new Numbered(0));
        }

        @Test
        void conditionalTakesTakeOnlyTheExpected() {
            var next = new Numbered(1);
            var head = new Numbered(2);
            var other = new Numbered(2); // equal, but not the same
            queue.put(head, false, spills);
            queue.put(next, true, spills);
            assertThat(queue.takeNextIf(head)).isFalse();
            assertThat(queue.takeHeadIf(other)).isFalse();
            assertThat(queue.takeNextIf(next)).isTrue();
            assertThat(queue.takeNextIf(next)).isFalse();
            assertThat(queue.takeHeadIf(head)).isTrue();
            assertThat(queue.takeHeadIf(head)).isFalse();
            assertThat(queue.isEmpty()).isTrue();
        }

        @Test
        void swapNextExchanges() {
            assertThat(queue.swapNext(new Numbered(1))).isNull();
            assertThat(queue.swapNext(new Numbered(2))).isEqualTo(new Numbered(1));
            assertThat(queue.swapNext(null)).isEqualTo(new Numbered(2));
            assertThat(queue.isEmpty()).isTrue();
        }

        @Test
        void drainGivesRunNextFirstThenTheRingInOrder() {
            for (int length = 0; length <= CAPACITY; length++) {
                for (boolean next : new boolean[] {false, true}) {
                    turn(queue, length);
                    fill(queue, 1, 1 + length);
                    if (next) {
                        queue.put(new Numbered(0), true, spills);
                    }
                    var first = new RunBatch();
                    var second = new RunBatch();
                    assertThat(queue.drainInto(first) + queue.drainInto(second)).isEqualTo(length + (next ? 1 : 0));
                    var all = SpillCollector.drain(first);
                    assertThat(second.isEmpty() || all.size() == RunBatch.CAPACITY)
                            .isTrue();
                    all.addAll(SpillCollector.drain(second));
                    assertThat(all).isEqualTo(Numbered.range(next ? 0 : 1, 1 + length));
                    assertThat(queue.isEmpty()).isTrue();
                }
            }
        }

        @Test
        void drainLeavesWhatDoesNotFit() {
            fill(queue, 1, 4);
            queue.put(new Numbered(0), true, spills);
            var chunk = new RunBatch(3);
            chunk.add(new Numbered(-1));
            assertThat(queue.drainInto(chunk)).isEqualTo(2);
            assertThat(queue.drainInto(chunk)).isZero();
            assertThat(SpillCollector.drain(chunk)).isEqualTo(Numbered.range(-1, 2));
            assertThat(drain(queue)).isEqualTo(Numbered.range(2, 4));
        }

        @Test
        void drainLeavesRunNextIfNothingFits() {
            queue.put(new Numbered(0), true, spills);
            var full = batchOf(Numbered.range(0, RunBatch.CAPACITY));
            assertThat(queue.drainInto(full)).isZero();
            assertThat(queue.takeNext()).isEqualTo(new Numbered(0));
        }
    }

    @Nested
    class Steal {
        private final LocalRunQueue thief = new LocalRunQueue();

        @Test
        void takesRunNextOnlyFromAnEmptyRingAndOnlyIfAllowed() {
            fill(queue, 0, 1);
            queue.put(new Numbered(1), true, spills);
            assertThat(thief.stealFrom(queue, StealRule.GO, true)).isEqualTo(new Numbered(0));
            assertThat(thief.stealFrom(queue, StealRule.GO, false)).isNull();
            assertThat(thief.stealFrom(queue, StealRule.GO, true)).isEqualTo(new Numbered(1));
            assertThat(thief.stealFrom(queue, StealRule.GO, true)).isNull();
            assertThat(queue.isEmpty()).isTrue();
            assertThat(thief.isEmpty()).isTrue();
        }

        @Test
        void quarterThresholdLeavesShortQueuesAlone() {
            for (int length = 0; length <= CAPACITY; length++) {
                var victim = new LocalRunQueue();
                fill(victim, 0, length);
                victim.put(new Numbered(1000), true, spills);
                int stolen = length > CAPACITY / 4 ? length - length / 2 : 0;
                var youngest = new LocalRunQueue().stealFrom(victim, StealRule.QUARTER_THRESHOLD, length != 0);
                assertThat(youngest).isEqualTo(stolen == 0 ? null : new Numbered(stolen - 1));
                assertThat(victim.size()).isEqualTo(length - stolen);
                assertThat(victim.hasNext()).isTrue();
            }
        }

        @Test
        void stealOneTakesTheOldest() {
            fill(queue, 0, 3);
            assertThat(thief.stealFrom(queue, StealRule.ONE, false)).isEqualTo(new Numbered(0));
            assertThat(thief.isEmpty()).isTrue();
            assertThat(drain(queue)).isEqualTo(Numbered.range(1, 3));
        }

        @Test
        void takesNoMoreThanTheThiefHasRoomFor() {
            for (int room = 1; room <= CAPACITY; room++) {
                var thief = new LocalRunQueue();
                fill(thief, 1000, 1000 + CAPACITY - room);
                var victim = new LocalRunQueue();
                fill(victim, 0, CAPACITY);
                int stolen = Math.min(room, CAPACITY / 2);
                assertThat(thief.stealFrom(victim, StealRule.GO, false)).isEqualTo(new Numbered(stolen - 1));
                var expected = new ArrayList<>(Numbered.range(1000, 1000 + CAPACITY - room));
                expected.addAll(Numbered.range(0, stolen - 1));
                assertThat(drain(thief)).isEqualTo(expected);
            }
        }

        @Test
        void aPolicyCannotTakeMoreThanHalfTheCapacity() {
            fill(queue, 0, CAPACITY);
            thief.stealFrom(queue, (available, capacity) -> Integer.MAX_VALUE, false);
            assertThat(queue.size()).isEqualTo(CAPACITY / 2);
            thief.stealFrom(queue, (available, capacity) -> -1, false);
            assertThat(queue.size()).isEqualTo(CAPACITY / 2);
        }

        @Test
        void refusesAFullThiefAndItself() {
            fill(thief, 0, CAPACITY);
            assertThatThrownBy(() -> thief.stealFrom(queue, StealRule.GO, true))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> queue.stealFrom(queue, StealRule.GO, true))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 3, 255})
    void capacityIsAPowerOfTwo(int capacity) {
        assertThatThrownBy(() -> new LocalRunQueue(capacity))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(String.valueOf(capacity));
    }
}
