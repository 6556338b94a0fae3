package dev.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.queue.broken.Numbered;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random operations on two queues that steal from each other, against plain deques.
class LocalRunQueuePropertyTest {
    private static final int STEPS = 20_000;

    /// What a queue is, said simply.
    private static final class Model {
        final ArrayDeque<Runnable> ring = new ArrayDeque<>();
        final int capacity;
        Runnable next;

        Model(int capacity) {
            this.capacity = capacity;
        }

        /// Returns what is spilled.
        List<Runnable> put(Runnable entry, boolean toNext) {
            Runnable carried = entry;
            if (toNext) {
                carried = next;
                next = entry;
            }
            var spilled = new ArrayList<Runnable>();
            if (carried == null) {
                return spilled;
            }
            if (ring.size() < capacity) {
                ring.add(carried);
                return spilled;
            }
            for (int i = 0; i < capacity / 2; i++) {
                spilled.add(ring.poll());
            }
            spilled.add(carried);
            return spilled;
        }

        Runnable takeNext() {
            var taken = next;
            next = null;
            return taken;
        }

        Runnable get() {
            return next != null ? takeNext() : ring.poll();
        }

        Runnable stealFrom(Model victim, StealRule policy, boolean includeRunNext) {
            if (victim.ring.isEmpty()) {
                return includeRunNext ? victim.takeNext() : null;
            }
            int batch = Math.min(
                    Math.min(policy.batch(victim.ring.size(), capacity), capacity / 2), capacity - ring.size());
            for (int i = 0; i < batch; i++) {
                ring.add(victim.ring.poll());
            }
            return batch <= 0 ? null : ring.pollLast();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 256})
    void behavesLikeTwoDeques(int capacity) {
        long seed = Seeds.seed();
        var random = new SplittableRandom(seed);
        var queues = List.of(new LocalRunQueue(capacity), new LocalRunQueue(capacity));
        var models = List.of(new Model(capacity), new Model(capacity));
        var policies = List.of(StealRule.GO, StealRule.QUARTER_THRESHOLD, StealRule.ONE);
        int nextId = 0;
        for (int step = 0; step < STEPS; step++) {
            int side = random.nextInt(2);
            var queue = queues.get(side);
            var model = models.get(side);
            // phases of more puts, then of more takes, so that long queues fill and drain
            boolean isFilling = (step / (4 * capacity)) % 2 == 0;
            int choice = random.nextInt(100);
            String what = Seeds.hint(seed) + ", capacity " + capacity + ", step " + step + ", choice " + choice;
            if (choice < (isFilling ? 60 : 25)) {
                boolean next = random.nextInt(3) == 0;
                var spills = new SpillCollector(capacity);
                // now and then the same object again: entries are not unique
                var entry = random.nextInt(20) == 0 && model.ring.peek() != null
                        ? model.ring.peek()
                        : new Numbered(nextId++);
                queue.put(entry, next, spills);
                assertThat(spills.all()).as(what).isEqualTo(model.put(entry, next));
            } else if (choice < 65) {
                assertThat(queue.get()).as(what).isSameAs(model.get());
            } else if (choice < 70) {
                assertThat(queue.takeNext()).as(what).isSameAs(model.takeNext());
            } else if (choice < 75) {
                var expected = queue.peekHead();
                assertThat(expected).as(what).isSameAs(model.ring.peek());
                if (expected != null) {
                    assertThat(queue.takeHeadIf(expected)).as(what).isTrue();
                    model.ring.poll();
                }
            } else if (choice < 85) {
                if (!queue.isFull()) {
                    var policy = policies.get(random.nextInt(3));
                    boolean includeRunNext = random.nextBoolean();
                    assertThat(queue.stealFrom(queues.get(1 - side), policy, includeRunNext))
                            .as(what)
                            .isSameAs(model.stealFrom(models.get(1 - side), policy, includeRunNext));
                }
            } else if (choice < 93) {
                var batch = new RunBatch(capacity + 2);
                int size = random.nextInt(capacity + 3);
                var entries = Numbered.range(nextId, nextId + size);
                entries.forEach(batch::add);
                int moved = queue.putBatch(batch);
                assertThat(moved).as(what).isEqualTo(Math.min(size, capacity - model.ring.size()));
                model.ring.addAll(entries.subList(0, moved));
                nextId += size;
            } else if (choice < 96) {
                queue.clearDead();
            } else if (choice < 98) {
                var entry = random.nextBoolean() ? new Numbered(nextId++) : null;
                assertThat(queue.swapNext(entry)).as(what).isEqualTo(model.takeNext());
                model.next = entry;
            } else if (!isFilling) {
                var first = new RunBatch(RunBatch.capacityFor(capacity));
                var second = new RunBatch(RunBatch.capacityFor(capacity));
                int _ = queue.drainInto(first) + queue.drainInto(second);
                var drained = SpillCollector.drain(first);
                drained.addAll(SpillCollector.drain(second));
                var expected = new ArrayList<Runnable>();
                for (Runnable r = model.get(); r != null; r = model.get()) {
                    expected.add(r);
                }
                assertThat(drained).as(what).isEqualTo(expected);
            }
            assertThat(queue.size()).as(what).isEqualTo(model.ring.size());
            assertThat(queue.isFull()).as(what).isEqualTo(model.ring.size() == capacity);
            assertThat(queue.hasNext()).as(what).isEqualTo(model.next != null);
            assertThat(queue.isEmpty()).as(what).isEqualTo(model.ring.isEmpty() && model.next == null);
        }
    }
}
