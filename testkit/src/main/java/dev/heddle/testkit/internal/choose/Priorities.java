package dev.heddle.testkit.internal.choose;

import java.util.Arrays;

/// A priority for each thread, and for the clock.
final class Priorities {

    private long[] ofThread = new long[16];
    private long ofClock;

    void set(int thread, long priority) {
        if (thread == Chooser.CLOCK) {
            ofClock = priority;
            return;
        }
        if (thread >= ofThread.length) {
            ofThread = Arrays.copyOf(ofThread, Math.max(thread + 1, 2 * ofThread.length));
        }
        ofThread[thread] = priority;
    }

    private long get(int thread) {
        return thread == Chooser.CLOCK ? ofClock : ofThread[thread];
    }

    int highest(RunnableSet runnable) {
        int best = runnable.get(0);
        for (int i = 1; i < runnable.size(); i++) {
            if (get(runnable.get(i)) > get(best)) {
                best = runnable.get(i);
            }
        }
        return best;
    }
}
