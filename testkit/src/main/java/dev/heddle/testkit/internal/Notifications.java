package dev.heddle.testkit.internal;

import dev.heddle.testkit.internal.choose.Chooser;
import dev.heddle.testkit.internal.choose.RunnableSet;
import org.jspecify.annotations.Nullable;

/// Which of the threads that wait for a monitor a `notify` wakes, and in which order a `notifyAll` wakes them.
///
/// The JVM always takes the thread that has waited longest. The contract of both methods permits any order, so the
/// strategy chooses, wherever a class with points calls them.
final class Notifications {
    /*
     * Out of turn.  The JVM offers no way to notify a certain thread. Instead, the wait of the chosen thread is ended,
     *               as its time limit would end it. Such a thread leaves the monitor's set of waiters only when it runs,
     *               and until then another `notify` could be wasted on it. So the notifier hands the carrier over: it
     *               yields, the loop resumes the waiter, and the waiter leaves the set and queues for the monitor, which
     *               the notifier holds. Then the loop resumes the notifier. Nothing else runs in between, and the
     *               strategy is not told, because to the program all of this is one call of `notify`.
     *
     * In turn.      The JVM's own `notify` is right if the chosen thread is the first in the set. It is not if a thread
     *               whose time is over, or which was interrupted, is still in there.
     */

    private final BubbleRun run;
    private final BubbleThreads threads;
    private final Chooser chooser;
    private final @Nullable Story story;
    private final RunnableSet waiters = new RunnableSet();
    private @Nullable BubbleThread next; // during a hand-over
    private boolean isAwake;

    Notifications(BubbleRun run, BubbleThreads threads, Chooser chooser, @Nullable Story story) {
        this.run = run;
        this.threads = threads;
        this.chooser = chooser;
        this.story = story;
    }

    /// Wakes one of several threads that wait for a monitor. False if fewer than two wait, so that there is no choice.
    ///
    /// On the stack of the thread that holds the monitor.
    boolean wakeOne(Object monitor) {
        threads.arrive();
        BubbleThread longest = threads.findWaiters(monitor, waiters);
        if (longest == null || waiters.size() < 2) {
            return false;
        }
        int step = run.trace.steps();
        BubbleThread chosen = threads.all().get(chooser.chooseWaiter(waiters, longest.number, step));
        run.trace.add(chosen.number, waiters.size(), run.clock.now());
        if (story != null && chosen != longest) {
            story.woke(run, step, chosen, longest);
        }
        boolean isFirst = chosen == longest && !threads.mayHaveLeaver(monitor);
        if (isFirst || !handOverTo(chosen)) {
            monitor.notify();
        }
        return true;
    }

    /// False if the notifier is pinned, or something outside of the bubble has woken the waiter meanwhile.
    private boolean handOverTo(BubbleThread waiter) {
        next = waiter;
        isAwake = false;
        threads.beginHandOver();
        Thread.yield();
        threads.endHandOver();
        next = null;
        return isAwake;
    }

    /// The thread to which the thread that yielded has handed the carrier over; null if it has not.
    @Nullable
    BubbleThread next() {
        return next;
    }

    /// Ends the wait of the thread that is next. Whether the loop shall resume it. On the carrier.
    boolean endWait(BubbleThread waiter) {
        isAwake = Internals.endWait(waiter.thread, threads.stateOf(waiter));
        return isAwake;
    }
}
