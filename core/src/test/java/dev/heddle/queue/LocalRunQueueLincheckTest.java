package dev.heddle.queue;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.queue.broken.Numbered;
import dev.heddle.queue.broken.RacyQueue;
import dev.heddle.queue.broken.ShadowRunQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Interleavings of an owner and thieves on a queue of 4 slots, by model checking and by stress.
///
/// Model checking assumes sequential consistency: missing fences are jcstress's business.
/// `-Dheddle.lincheck.scale=20` makes a thorough run of it.
class LocalRunQueueLincheckTest {
    private static final int CAPACITY = 4;
    private static final int SCALE = Integer.getInteger("heddle.lincheck.scale", 1);

    private static ModelCheckingOptions modelChecking() {
        return common(new ModelCheckingOptions()).invocationsPerIteration(500).iterations(10 * SCALE);
    }

    private static StressOptions stress() {
        return common(new StressOptions()).invocationsPerIteration(500).iterations(10 * SCALE);
    }

    private static <O extends Options<O, ?>> O common(O options) {
        return options.threads(3).actorsBefore(3).actorsPerThread(3).actorsAfter(2);
    }

    // ---- linearizability: the ring

    /// Owner and thieves on the ring. Thieves leave `runNext` alone here: that its theft is not linearizable
    /// with "ring first" is Go's design (the ring is found empty before the CAS on `runNext`); see ExactlyOnce
    /// for it.
    public static class Ring {
        private final LocalRunQueue queue = new LocalRunQueue(CAPACITY);
        private final SpillCollector spills = new SpillCollector(CAPACITY);

        /// Returns what was spilled.
        @Operation(nonParallelGroup = "owner")
        public List<Integer> put(int value) {
            return put(value, false);
        }

        @Operation(nonParallelGroup = "owner")
        public List<Integer> putNext(int value) {
            return put(value, true);
        }

        private List<Integer> put(int value, boolean next) {
            spills.spills.clear();
            queue.put(new Numbered(value), next, spills);
            return ids(spills.all());
        }

        @Operation(nonParallelGroup = "owner")
        public int get() {
            return id(queue.get());
        }

        @Operation(nonParallelGroup = "owner")
        public List<Integer> drain() {
            var first = new RunBatch(CAPACITY);
            var second = new RunBatch(CAPACITY);
            queue.drainInto(first, second);
            var all = SpillCollector.drain(first);
            all.addAll(SpillCollector.drain(second));
            return ids(all);
        }

        /// Returns all it took, oldest first.
        @Operation
        public List<Integer> steal() {
            var thief = new LocalRunQueue(CAPACITY);
            var youngest = thief.stealFrom(queue, StealPolicy.GO, /* includeRunNext= */ false);
            var stolen = new ArrayList<Runnable>();
            for (Runnable r = thief.get(); r != null; r = thief.get()) {
                stolen.add(r);
            }
            if (youngest != null) {
                stolen.add(youngest);
            }
            return ids(stolen);
        }
    }

    /// The same, one thing at a time.
    public static class RingSpecification {
        private final ArrayDeque<Integer> ring = new ArrayDeque<>();
        private int next = -1;

        public List<Integer> put(int value) {
            var spilled = new ArrayList<Integer>();
            if (ring.size() == CAPACITY) {
                for (int i = 0; i < CAPACITY / 2; i++) {
                    spilled.add(ring.poll());
                }
                spilled.add(value);
            } else {
                ring.add(value);
            }
            return spilled;
        }

        public List<Integer> putNext(int value) {
            int displaced = next;
            next = value;
            return displaced == -1 ? List.of() : put(displaced);
        }

        public int get() {
            int value = next != -1 ? next : ring.isEmpty() ? -1 : ring.poll();
            next = -1;
            return value;
        }

        public List<Integer> drain() {
            var all = new ArrayList<Integer>();
            for (int value = get(); value != -1; value = get()) {
                all.add(value);
            }
            return all;
        }

        public List<Integer> steal() {
            var stolen = new ArrayList<Integer>();
            for (int n = (ring.size() + 1) / 2; n > 0; n--) {
                stolen.add(ring.poll());
            }
            return stolen;
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

    /// Two owners that steal from each other, `runNext` included, and a third thief; at the end every entry has
    /// been seen exactly once.
    public abstract static class ExactlyOnceScenario {
        private final RacyQueue a = newQueue();
        private final RacyQueue b = newQueue();
        private final RacyQueue c = newQueue();
        private final AtomicInteger ids = new AtomicInteger(); // values are chosen here: each put another
        private final List<List<Runnable>> seen = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

        abstract RacyQueue newQueue();

        @Operation(nonParallelGroup = "a")
        public void putA() {
            put(a, false, 0);
        }

        @Operation(nonParallelGroup = "a")
        public void putNextA() {
            put(a, true, 0);
        }

        @Operation(nonParallelGroup = "a")
        public void getA() {
            see(0, a.get());
        }

        @Operation(nonParallelGroup = "b")
        public void putB() {
            put(b, false, 1);
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

        private void put(RacyQueue queue, boolean next, int log) {
            var entry = new Numbered(ids.getAndIncrement());
            if (!queue.put(entry, next)) {
                see(log, entry); // no room: as if it had run
            }
        }

        private void see(int log, Runnable entry) {
            if (entry != null) {
                seen.get(log).add(entry);
            }
        }

        @Validate
        public void everyEntryWasSeenExactlyOnce() {
            var all = new ArrayList<Integer>();
            seen.forEach(log -> all.addAll(LocalRunQueueLincheckTest.ids(log)));
            for (var queue : List.of(a, b, c)) {
                for (Runnable r = queue.get(); r != null; r = queue.get()) {
                    all.add(id(r));
                }
                all.addAll(LocalRunQueueLincheckTest.ids(queue.spilled()));
            }
            all.sort(null);
            var expected = new ArrayList<Integer>();
            for (int i = 0; i < ids.get(); i++) {
                expected.add(i);
            }
            if (!all.equals(expected)) {
                throw new IllegalStateException("put 0.." + (ids.get() - 1) + ", seen " + all);
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
                .iterations(200)
                .invocationsPerIteration(2000)
                .minimizeFailedScenario(false);
        assertThatThrownBy(() -> options.check(broken))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("seen");
    }

    private static int id(Runnable entry) {
        return entry == null ? -1 : ((Numbered) entry).id();
    }

    private static List<Integer> ids(List<Runnable> entries) {
        return entries.stream().map(LocalRunQueueLincheckTest::id).toList();
    }
}
