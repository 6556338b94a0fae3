package dev.heddle.internal.kernel;

import dev.heddle.stats.SchedulerStats;

/// What is true of every scheduler that no test has done violence to. Needs no test library: child JVMs ask too.
final class Health {
    private Health() {}

    /// Nothing was found only by the system monitor, nothing had to be saved from an ended stack.
    static void check(SchedulerStats stats) {
        if (stats.safetyNet() != 0) {
            throw new AssertionError(stats.safetyNet() + " times only the safety net found work: " + stats);
        }
        if (stats.rescued() != 0) {
            throw new AssertionError(stats.rescued() + " entries had to be saved from an ended stack: " + stats);
        }
    }
}
