package dev.heddle.testkit.internal.choose;

import java.util.SplittableRandom;

/// Random priorities, which change at `depth - 1` random steps (Burckhardt and others, A Randomized Scheduler with
/// Probabilistic Guarantees of Finding Bugs, ASPLOS 2010). A thread that yields goes below all others, else one that
/// waits in a loop would run for ever.
final class PriorityChanges extends Chooser {

    private static final long LOWEST_INITIAL = 1L << 32;

    private final SplittableRandom random;
    private final Priorities priorities = new Priorities();
    private final int[] changes;
    private long lowest;

    PriorityChanges(long seed, int depth, int steps) {
        random = new SplittableRandom(seed);
        changes = new int[Math.max(0, depth - 1)];
        for (int i = 0; i < changes.length; i++) {
            changes[i] = random.nextInt(Math.max(1, steps));
        }
        created(CLOCK);
    }

    @Override
    public void created(int thread) {
        priorities.set(thread, LOWEST_INITIAL + random.nextLong(1L << 40));
    }

    @Override
    public void readied(int thread, boolean hasYielded) {
        if (hasYielded) {
            priorities.set(thread, --lowest);
        }
    }

    @Override
    public int choose(RunnableSet runnable, int self, int last, int step) {
        for (int i = 0; i < changes.length; i++) {
            if (changes[i] == step && last >= 0) {
                priorities.set(last, changes.length - i); // below all initial ones
            }
        }
        return priorities.highest(runnable);
    }

    @Override
    public int chooseWaiter(RunnableSet waiters, int longest, int step) {
        return priorities.highest(waiters);
    }
}
