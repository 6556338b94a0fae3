package dev.heddle.testkit.internal.choose;

import java.util.ArrayDeque;

/// The order of Go's scheduler with one processor: a thread that was readied runs next, and pushes the one that was to
/// run next to the end of the queue. A thread that yields goes to the global queue, which is looked at when the other
/// is empty, and at every 61st step. It does not preempt.
/// Go: runqput, schedule, goschedImpl (proc.go).
final class GoOrder extends Chooser {

    private static final int GLOBAL_QUEUE_PERIOD = 61;

    private final ArrayDeque<Integer> local = new ArrayDeque<>();
    private final ArrayDeque<Integer> global = new ArrayDeque<>();
    private int runNext = NONE;
    private int tick;

    @Override
    public void readied(int thread, boolean hasYielded) {
        if (hasYielded) {
            global.add(thread);
            return;
        }
        if (runNext != NONE) {
            local.add(runNext);
        }
        runNext = thread;
    }

    @Override
    public int choose(RunnableSet runnable, int self, int last, int step) {
        if (self != NONE) {
            return self;
        }
        int next = next();
        while (!runnable.contains(next)) { // held back by a fault, and readied again later
            next = next();
        }
        return next;
    }

    private int next() {
        if (++tick % GLOBAL_QUEUE_PERIOD == 0 && !global.isEmpty()) {
            return global.remove();
        }
        if (runNext != NONE) {
            int next = runNext;
            runNext = NONE;
            return next;
        }
        return local.isEmpty() ? global.remove() : local.remove();
    }
}
