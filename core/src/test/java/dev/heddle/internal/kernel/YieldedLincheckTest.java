package dev.heddle.internal.kernel;

import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.queue.StealRule;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// An owner whose threads take turns, in rounds, and thieves of two kinds: every thread comes out exactly once,
/// wherever a round begins.
class YieldedLincheckTest {

    private static final int CAPACITY = 4;
    private static final int SCALE = Integer.getInteger("heddle.lincheck.scale", 1);

    private record Numbered(int id) implements Runnable {
        @Override
        public void run() {
            throw new AssertionError("only queued");
        }
    }

    /// Three processors; the first one's threads yield, the others steal.
    public static class Rounds implements LocalRunQueue.Overflow {
        private static final int MAX_IDS = 64;

        private final Yielded owner = new Yielded(CAPACITY);
        private final Yielded behind = new Yielded(CAPACITY);
        private final Yielded idle = new Yielded(CAPACITY);
        private int puts;
        private long round;
        private final int[][] seen = new int[3][MAX_IDS]; // by each thread, how often

        @Operation(nonParallelGroup = "owner")
        public void put() {
            if (!owner.isFull()) {
                owner.put(new Numbered(puts++), this);
            }
        }

        @Operation(nonParallelGroup = "owner")
        public void take() {
            Runnable entry = owner.take();
            if (entry == null) {
                owner.begin(++round);
                entry = owner.take();
            }
            see(0, entry);
        }

        @Operation(nonParallelGroup = "behind")
        public void stealDue() {
            see(1, behind.stealDue(owner, 1));
            see(1, behind.take());
        }

        @Operation(nonParallelGroup = "idle")
        public void stealAny() {
            see(2, idle.stealAny(owner, StealRule.GO));
            see(2, idle.take());
        }

        private void see(int thread, @Nullable Runnable entry) {
            if (entry instanceof Numbered(int id)) {
                seen[thread][id]++;
            }
        }

        @Validate
        public void everyThreadWasSeenExactlyOnce() {
            for (Yielded yielded : new Yielded[] {owner, behind, idle}) {
                for (int rings = 0; rings < 2; rings++) {
                    for (Runnable entry = yielded.take(); entry != null; entry = yielded.take()) {
                        see(0, entry);
                    }
                    yielded.begin(0);
                }
            }
            for (int id = 0; id < MAX_IDS; id++) {
                int times = seen[0][id] + seen[1][id] + seen[2][id];
                if (times != (id < puts ? 1 : 0)) {
                    throw new IllegalStateException("thread " + id + " was seen " + times + " times");
                }
            }
        }

        @Override
        public RunBatch reserve() {
            throw new IllegalStateException("it was not full");
        }

        @Override
        public void release(RunBatch batch) {}

        @Override
        public void accept(RunBatch batch) {}
    }

    private static <O extends Options<O, ?>> O common(O options) {
        return options.threads(3)
                .actorsBefore(4)
                .actorsPerThread(3)
                .actorsAfter(0)
                .verifier(EpsilonVerifier.class);
    }

    @Test
    void everyThreadComesOutExactlyOnceByModelChecking() {
        common(new ModelCheckingOptions())
                .invocationsPerIteration(200)
                .iterations(10 * SCALE)
                .check(Rounds.class);
    }

    @Test
    void everyThreadComesOutExactlyOnceUnderStress() {
        common(new StressOptions())
                .invocationsPerIteration(200)
                .iterations(10 * SCALE)
                .check(Rounds.class);
    }
}
