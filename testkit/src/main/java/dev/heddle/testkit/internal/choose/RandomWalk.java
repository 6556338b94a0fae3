package dev.heddle.testkit.internal.choose;

import java.util.SplittableRandom;

/// Every runnable thread is equally likely.
final class RandomWalk extends Chooser {

    private final SplittableRandom random;

    RandomWalk(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public int choose(RunnableSet runnable, int self, int last, int step) {
        return runnable.get(runnable.size() == 1 ? 0 : random.nextInt(runnable.size()));
    }
}
