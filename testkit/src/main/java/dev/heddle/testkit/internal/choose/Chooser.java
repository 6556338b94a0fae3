package dev.heddle.testkit.internal.choose;

import dev.heddle.testkit.Options;
import dev.heddle.testkit.Strategy;

/// Chooses which thread runs next, and which waiter is notified. One chooser serves one schedule.
///
/// It runs on the stacks of the test's threads, too: it takes no lock and starts nothing.
public abstract class Chooser {

    /// The number that stands for "the next timer is due".
    public static final int CLOCK = Integer.MAX_VALUE;

    /// No thread.
    public static final int NONE = -1;

    /// One of `runnable`.
    ///
    /// @param self the thread that could go on, at a point; [#NONE] if the last thread waits, yielded or ended
    /// @param last the thread that ran last
    /// @param step the number of this choice, from 0
    public abstract int choose(RunnableSet runnable, int self, int last, int step);

    /// Which of several threads in `Object.wait` a `notify` wakes: one of `waiters`.
    ///
    /// @param longest the thread that has waited longest, which the JVM itself would choose
    /// @param step    the number of this choice; it counts like any other
    public int chooseWaiter(RunnableSet waiters, int longest, int step) {
        return longest;
    }

    /// A thread was started.
    public void created(int thread) {}

    /// A thread became runnable.
    ///
    /// @param hasYielded whether it was running and yielded
    public void readied(int thread, boolean hasYielded) {}

    /// Makes the chooser of one schedule. Not for [Strategy#EXHAUSTIVE], whose schedules depend on each other.
    ///
    /// @param number   of the schedule, from 0
    /// @param steps    how many steps a schedule has, as far as is known
    public static Chooser of(Options options, int number, long seed, int steps) {
        Strategy strategy = options.strategy() == Strategy.MIXED
                ? (number % 2 == 0 ? Strategy.RANDOM : Strategy.POS)
                : options.strategy();
        return switch (strategy) {
            case RANDOM, MIXED -> new RandomWalk(seed);
            case POS -> new PartialOrderSampling(seed);
            case PCT -> new PriorityChanges(seed, options.effectiveDepth(), steps);
            case DELAYS -> new Delays(seed, options.effectiveDepth(), steps);
            case GO -> new GoOrder();
            case ROUND_ROBIN -> new RoundRobin();
            case EXHAUSTIVE -> throw new IllegalArgumentException("EXHAUSTIVE has one chooser for all schedules");
        };
    }
}
