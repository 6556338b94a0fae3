package dev.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.internal.queue.broken.Numbered;
import dev.heddle.internal.queue.broken.RacyQueue;
import dev.heddle.internal.queue.broken.ShadowRunQueue;
import java.util.ArrayDeque;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Interleavings of an owner and thieves on a queue of 4 slots, by model checking and by stress.
///
/// Model checking assumes sequential consistency: missing fences are jcstress's business.
/// `-Dheddle.lincheck.scale=50` makes a thorough run of it.
class LocalRunQueueLincheckTest {
    private static final int CAPACITY = 4;
    private static final int SCALE = Integer.getInteger("heddle.lincheck.scale", 1);

    private static ModelCheckingOptions modelChecking() {
        return common(new ModelCheckingOptions()).invocationsPerIteration(200).iterations(5 * SCALE);
    }

    private static StressOptions stress() {
        return common(new StressOptions()).invocationsPerIteration(200).iterations(5 * SCALE);
    }

    private static <O extends Options<O, ?>> O common(O options) {
        return options.threads(3).actorsBefore(3).actorsPerThread(3).actorsAfter(2);
    }

    // ---- linearizability: the ring

    /// Owner and thieves on the ring. Thieves leave `runNext` alone here: that its theft is not linearizable
    /// with "ring first" is Go's design (the ring is found empty before the CAS on `runNext`);
    /// [ExactlyOnceScenario] has it.
    ///
    /// Lists of values are returned as decimal numbers: the checker follows every access, so scenarios avoid
    /// collections.
    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static class Ring implements LocalRunQueue.Overflow {
        private final LocalRunQueue queue = new LocalRunQueue(CAPACITY);
        private int spilled;

        /// Returns what was spilled.
        @Operation(nonParallelGroup = "owner")
        public int put(@Param(name = "value") int value) {
            spilled = 0;
            queue.put(new Numbered(value), /* next= */ false, this);
            return spilled;
        }

        @Operation(nonParallelGroup = "owner")
        public int putNext(@Param(name = "value") int value) {
            spilled = 0;
            queue.put(new Numbered(value), /* next= */ true, this);
            return spilled;
        }

        @Operation(nonParallelGroup = "owner")
        public int get() {
            return id(queue.get());
        }

        @Operation(nonParallelGroup = "owner")
        public int drain() {
            var all = new RunBatch(CAPACITY + 1);
            int _ = queue.drainInto(all);
            return append(0, all);
        }

        /// Returns all it took, oldest first.
        @Operation
        public int steal() {
            var thief = new LocalRunQueue(CAPACITY);
            var youngest = thief.stealFrom(queue, StealRule.GO, /* includeRunNext= */ false);
            int stolen = 0;
            for (Runnable r = thief.get(); r != null; r = thief.get()) {
                stolen = 10 * stolen + id(r);
            }
            return youngest == null ? stolen : 10 * stolen + id(youngest);
        }

        @Override
        public RunBatch reserve() {
            return new RunBatch(CAPACITY / 2 + 1);
        }

        @Override
        public void release(RunBatch batch) {}

        @Override
        public void accept(RunBatch batch) {
            spilled = append(0, batch);
        }

        private static int append(int number, RunBatch batch) {
            for (Runnable r = batch.poll(); r != null; r = batch.poll()) {
                number = 10 * number + id(r);
            }
            return number;
        }
    }

    /// The same, one thing at a time.
    public static class RingSpecification {
        private final ArrayDeque<Integer> ring = new ArrayDeque<>();
        private int next;

        public int put(int value) {
            if (ring.size() < CAPACITY) {
                ring.add(value);
                return 0;
            }
            return 10 * take(CAPACITY / 2) + value;
        }

        public int putNext(int value) {
            int displaced = next;
            next = value;
            return displaced == 0 ? 0 : put(displaced);
        }

        public int get() {
            int value = next != 0 ? next : take(1);
            next = 0;
            return value;
        }

        public int drain() {
            int number = next;
            next = 0;
            while (!ring.isEmpty()) {
                number = 10 * number + ring.poll();
            }
            return number;
        }

        public int steal() {
            return take((ring.size() + 1) / 2);
        }

        private int take(int count) {
            int number = 0;
            for (int i = 0; i < count && !ring.isEmpty(); i++) {
                number = 10 * number + ring.poll();
            }
            return number;
        }
    }

    @Test
    void ringIsLinearizableByModelChecking() {
        modelChecking().sequentialSpecification(RingSpecification.class).check(Ring.class);
    }

    @Test
    void ringIsLinearizableUnderStress() {
        stress().sequentialSpecification(RingSpecification.class).check(Ring.class);
    }

    // ---- every entry exactly once: the whole queue

    /// Two owners, one of whom steals from the other, `runNext` included, and a third thief; at the end every
    /// entry has been seen exactly once.
    public abstract static class ExactlyOnceScenario {
        private static final int MAX_IDS = 64;

        private final RacyQueue a = newQueue();
        private final RacyQueue b = newQueue();
        private final RacyQueue c = newQueue();
        private int putsToA; // ids 0, 2, 4, ..
        private int putsToB; // ids 1, 3, 5, ..
        private final int[][] seen = new int[3][MAX_IDS]; // by each thread, how often

        abstract RacyQueue newQueue();

        @Operation(nonParallelGroup = "a")
        public void putA() {
            put(a, false, 0, 2 * putsToA++);
        }

        @Operation(nonParallelGroup = "a")
        public void putNextA() {
            put(a, true, 0, 2 * putsToA++);
        }

        @Operation(nonParallelGroup = "a")
        public void getA() {
            see(0, a.get());
        }

        @Operation(nonParallelGroup = "b")
        public void putB() {
            put(b, false, 1, 1 + 2 * putsToB++);
        }

        @Operation(nonParallelGroup = "b")
        public void stealAToB() {
            see(1, b.get()); // who has work does not steal: keep room
            see(1, b.stealFrom(a, true));
        }

        @Operation(nonParallelGroup = "c")
        public void stealAToC() {
            see(2, c.stealFrom(a, true));
            see(2, c.get());
        }

        @Operation(nonParallelGroup = "c")
        public void stealBToC() {
            see(2, c.stealFrom(b, true));
            see(2, c.get());
        }

        private void put(RacyQueue queue, boolean next, int thread, int id) {
            var entry = new Numbered(id);
            if (!queue.put(entry, next)) {
                see(thread, entry); // no room: as if it had run
            }
        }

        private void see(int thread, Runnable entry) {
            if (entry != null) {
                seen[thread][id(entry)]++;
            }
        }

        @Validate
        public void everyEntryWasSeenExactlyOnce() {
            for (var queue : new RacyQueue[] {a, b, c}) {
                for (Runnable r = queue.get(); r != null; r = queue.get()) {
                    see(0, r);
                }
                queue.spilled().forEach(r -> see(0, r));
            }
            for (int id = 0; id < MAX_IDS; id++) {
                int expected = id < 2 * ((id & 1) == 0 ? putsToA : putsToB) ? 1 : 0;
                int times = seen[0][id] + seen[1][id] + seen[2][id];
                if (times != expected) {
                    throw new IllegalStateException("entry " + id + " was seen " + times + " times");
                }
            }
        }
    }

    public static class RealQueue extends ExactlyOnceScenario {
        @Override
        RacyQueue newQueue() {
            return new RacyQueue.Real(CAPACITY);
        }
    }

    public static class Shadow extends ExactlyOnceScenario {
        @Override
        RacyQueue newQueue() {
            return new ShadowRunQueue(CAPACITY);
        }
    }

    public static class NonAtomicSteal extends ExactlyOnceScenario {
        @Override
        RacyQueue newQueue() {
            return new ShadowRunQueue.NonAtomicSteal(CAPACITY);
        }
    }

    public static class HeadWithoutCas extends ExactlyOnceScenario {
        @Override
        RacyQueue newQueue() {
            return new ShadowRunQueue.HeadWithoutCas(CAPACITY);
        }
    }

    public static class MissingRelease extends ExactlyOnceScenario {
        @Override
        RacyQueue newQueue() {
            return new ShadowRunQueue.MissingRelease(CAPACITY);
        }
    }

    /// Two slots, so that the next lap is near enough for the scenario's few operations.
    public static class ThiefClearsSlots extends ExactlyOnceScenario {
        @Override
        RacyQueue newQueue() {
            return new ShadowRunQueue.ThiefClearsSlots(2);
        }
    }

    public static class NonAtomicRunNext extends ExactlyOnceScenario {
        @Override
        RacyQueue newQueue() {
            return new ShadowRunQueue.NonAtomicRunNext(CAPACITY);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {RealQueue.class, Shadow.class})
    void everyEntryComesOutExactlyOnceByModelChecking(Class<?> queue) {
        modelChecking().verifier(EpsilonVerifier.class).check(queue);
    }

    @Test
    void everyEntryComesOutExactlyOnceUnderStress() {
        stress().verifier(EpsilonVerifier.class).check(RealQueue.class);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                NonAtomicSteal.class,
                HeadWithoutCas.class,
                MissingRelease.class,
                ThiefClearsSlots.class,
                NonAtomicRunNext.class
            })
    void modelCheckingFindsABrokenQueue(Class<?> broken) {
        var options = modelChecking()
                .verifier(EpsilonVerifier.class)
                .iterations(500)
                .invocationsPerIteration(300)
                .minimizeFailedScenario(false);
        assertThatThrownBy(() -> options.check(broken))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("was seen");
    }

    private static int id(Runnable entry) {
        return entry == null ? 0 : ((Numbered) entry).id();
    }
}
