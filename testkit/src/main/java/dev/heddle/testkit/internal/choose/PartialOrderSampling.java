package dev.heddle.testkit.internal.choose;

import java.util.SplittableRandom;

/// A new random priority for each step of a thread. What a step touches is not known here, so that steps that do not
/// depend on each other are sampled, too (Yuan and others, Partial Order Aware Concurrency Sampling, CAV 2018).
final class PartialOrderSampling extends Chooser {

    private final SplittableRandom random;
    private final Priorities priorities = new Priorities();

    PartialOrderSampling(long seed) {
        random = new SplittableRandom(seed);
        priorities.set(CLOCK, random.nextLong());
    }

    @Override
    public void created(int thread) {
        priorities.set(thread, random.nextLong());
    }

    @Override
    public int choose(RunnableSet runnable, int self, int last, int step) {
        int best = priorities.highest(runnable);
        priorities.set(best, random.nextLong());
        return best;
    }

    /// Each with the same chance: a priority would also decide who runs first afterwards.
    @Override
    public int chooseWaiter(RunnableSet waiters, int longest, int step) {
        return waiters.get(random.nextInt(waiters.size()));
    }
}
