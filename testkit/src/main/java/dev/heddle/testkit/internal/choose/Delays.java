package dev.heddle.testkit.internal.choose;

import java.util.SplittableRandom;

/// Round robin, in which the thread whose turn it is has to wait at `depth` random steps (Emmi and others,
/// Delay-Bounded Scheduling, POPL 2011).
final class Delays extends Chooser {

    private final int[] delays;

    Delays(long seed, int depth, int steps) {
        SplittableRandom random = new SplittableRandom(seed);
        delays = new int[depth];
        for (int i = 0; i < depth; i++) {
            delays[i] = random.nextInt(Math.max(1, steps));
        }
    }

    @Override
    public int choose(RunnableSet runnable, int self, int last, int step) {
        return delayed(runnable, RoundRobin.next(runnable, self, last), step);
    }

    @Override
    public int chooseWaiter(RunnableSet waiters, int longest, int step) {
        return delayed(waiters, longest, step);
    }

    private int delayed(RunnableSet threads, int first, int step) {
        int next = first;
        for (int delay : delays) {
            if (delay == step) {
                next = threads.after(next);
            }
        }
        return next;
    }
}
