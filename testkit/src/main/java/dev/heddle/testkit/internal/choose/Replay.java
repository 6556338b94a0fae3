package dev.heddle.testkit.internal.choose;

import java.util.SortedMap;

/// Round robin, with other threads at given steps: how a schedule is written down, repeated and minimised. Without
/// such a step a `notify` wakes the thread that has waited longest.
public final class Replay extends Chooser {

    private final SortedMap<Integer, Integer> deviations;

    /// @param deviations the thread to run or to wake, by step; a thread that cannot be chosen then is ignored
    public Replay(SortedMap<Integer, Integer> deviations) {
        this.deviations = deviations;
    }

    @Override
    public int choose(RunnableSet runnable, int self, int last, int step) {
        return wantedOr(RoundRobin.next(runnable, self, last), runnable, step);
    }

    @Override
    public int chooseWaiter(RunnableSet waiters, int longest, int step) {
        return wantedOr(longest, waiters, step);
    }

    private int wantedOr(int otherwise, RunnableSet threads, int step) {
        Integer wanted = deviations.get(step);
        return wanted != null && threads.contains(wanted) ? wanted : otherwise;
    }
}
