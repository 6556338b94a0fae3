package dev.heddle.testkit.internal.choose;

/// A thread runs until it waits, and then the one with the next number.
final class RoundRobin extends Chooser {

    @Override
    public int choose(RunnableSet runnable, int self, int last, int step) {
        return next(runnable, self, last);
    }

    /// The clock is the last resort: its number is the greatest.
    static int next(RunnableSet runnable, int self, int last) {
        if (self != NONE) {
            return self;
        }
        int next = runnable.after(last);
        return next == CLOCK ? runnable.get(0) : next;
    }
}
