package dev.heddle.testkit.internal.choose;

import java.util.SortedMap;

/// Round robin, with other threads at given steps: how a schedule is written down, repeated and minimised.
public final class Replay extends Chooser {

    private final SortedMap<Integer, Integer> deviations;

    /// @param deviations the thread to run, by step; a thread that is not runnable then is ignored
    public Replay(SortedMap<Integer, Integer> deviations) {
        this.deviations = deviations;
    }

    @Override
    public int choose(RunnableSet runnable, int self, int last, int step) {
        Integer wanted = deviations.get(step);
        return wanted != null && runnable.contains(wanted) ? wanted : RoundRobin.next(runnable, self, last);
    }
}
