package dev.heddle.testkit;

/// How the threads of a bubble are scheduled.
public enum Strategy {
    /// [#RANDOM] and [#POS] in turns: the default.
    MIXED(0),

    /// Every runnable thread is equally likely, at every step.
    RANDOM(0),

    /// Partial order sampling: each step of a thread gets a random priority, and the highest one is next.
    POS(0),

    /// Random priorities that change at `depth - 1` random steps. For long tests with a rare order of events;
    /// `depth` must exceed the number of orders that the bug needs.
    PCT(3),

    /// Round robin, with `depth` delays at random steps.
    DELAYS(2),

    /// The order of Heddle's own scheduler with one processor: the thread that was readied last runs next. For
    /// tests of code that relies on this order. There is one such schedule.
    GO(0),

    /// A thread runs until it waits, and then the one with the next number. There is one such schedule.
    ROUND_ROBIN(0),

    /// All schedules with at most `depth` preemptions, depth first.
    EXHAUSTIVE(2);

    private final int defaultDepth;

    Strategy(int defaultDepth) {
        this.defaultDepth = defaultDepth;
    }

    /// The `depth` that is used where none is given.
    public int defaultDepth() {
        return defaultDepth;
    }

    /// Whether there is only one schedule, whatever the seed.
    public boolean isSingle() {
        return this == GO || this == ROUND_ROBIN;
    }
}
