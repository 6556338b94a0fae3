package dev.heddle.testkit.internal.choose;

import java.util.SplittableRandom;

/// Every runnable thread is equally likely, and every waiter.
final class RandomWalk extends Chooser {

    private final SplittableRandom random;

    RandomWalk(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public int choose(RunnableSet runnable, int self, int last, int step) {
        return runnable.get(runnable.size() == 1 ? 0 : random.nextInt(runnable.size()));
    }

    @Override
    public int chooseWaiter(RunnableSet waiters, int longest, int step) {
        return waiters.get(random.nextInt(waiters.size()));
    }
}
