package dev.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.queue.broken.ExactlyOnce;
import dev.heddle.internal.queue.broken.RacyQueue;
import dev.heddle.internal.queue.broken.ShadowRunQueue;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Counts in = counts out, with real threads; and the same test finds every broken queue.
@Tag("stress")
class LocalRunQueueStressTest {
    private static final int TOTAL = 50_000;

    /// A violation found within `seconds`, or null.
    private static @Nullable String search(IntFunction<RacyQueue> queues, int capacity, double seconds)
            throws Exception {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        String violation;
        do {
            violation = ExactlyOnce.run(queues, capacity, TOTAL);
        } while (violation == null && System.nanoTime() < end);
        return violation;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 16, 256})
    void everyEntryComesOutExactlyOnceUnderTheft(int capacity) throws Exception {
        double seconds = Integer.getInteger("heddle.stress.seconds", 3) / 10.0;
        assertThat(search(RacyQueue.Real::new, capacity, seconds)).isNull();
        assertThat(search(ShadowRunQueue::new, capacity, seconds))
                .as("the mutants' origin")
                .isNull();
    }

    static Stream<Named<IntFunction<RacyQueue>>> brokenQueues() {
        return Stream.of(
                Named.of("non-atomic steal", ShadowRunQueue.NonAtomicSteal::new),
                Named.of("head without CAS", ShadowRunQueue.HeadWithoutCas::new),
                Named.of("missing release", ShadowRunQueue.MissingRelease::new),
                Named.of("thief clears slots", ShadowRunQueue.ThiefClearsSlots::new),
                Named.of("non-atomic runNext", ShadowRunQueue.NonAtomicRunNext::new));
    }

    @ParameterizedTest
    @MethodSource("brokenQueues")
    void findsABrokenQueue(IntFunction<RacyQueue> broken) throws Exception {
        assertThat(search(broken, /* capacity= */ 4, /* seconds= */ 120)).isNotNull();
    }
}
