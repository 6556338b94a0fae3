package dev.heddle.testkit.internal;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.testkit.Escapes;
import dev.heddle.testkit.FailureKind;

/// What a bubble does when all of its threads wait, and a thread outside may wake one: it waits in real time.
///
/// All methods are called on the bubble's carrier.
final class OutsideWaits {
    /*
     * With `escapes = WAIT` the clock follows real time meanwhile. Otherwise it does not move, and a thread outside that
     * wakes one of the bubble is a failure. It is none if the test has only woken a thread outside that does not
     * answer, as a logger does with its writer, or if the two waited for one lock.
     */

    /// How long to wait in real time for things outside that neither end nor wake a thread.
    static final long LIMIT_NANOS = 10_000_000_000L;

    private static final long LIMIT_SECONDS = LIMIT_NANOS / 1_000_000_000;

    /// How long something outside that has ended may take until the thread that it woke arrives.
    private static final long GRACE_NANOS = 50_000_000;

    private static final long SLICE_NANOS = 1_000_000;

    private static final String REMEDY =
            "start it, or the pool that it belongs to, anew in each schedule, or allow it with escapes = WAIT";

    private final BubbleRun run;
    private final BubbleThreads threads;

    OutsideWaits(BubbleRun run, BubbleThreads threads) {
        this.run = run;
        this.threads = threads;
    }

    /// Fails if a thread outside has woken one of the bubble, unless by the release of a lock. Whether two threads
    /// meet at a lock that both sides use is chance, and so is one step more.
    void requireNoStranger() {
        BubbleThreads.Stranger stranger = threads.stranger();
        if (stranger == null) {
            return;
        }
        run.escaped();
        if (run.options.escapes() == Escapes.FAIL && !stranger.isRelease() && !run.hasFailed()) {
            BubbleThread woken = run.find(stranger.woken());
            run.failOutside((woken == null ? "a thread" : woken.label()) + " is woken at "
                    + Frames.userFrame(stranger.woken().getStackTrace(), run.points) + " by the thread "
                    + Frames.nameOf(stranger.waker()) + ", which is outside of the bubble: " + REMEDY);
        }
    }

    /// Called before the clock moves. Whether there was something to wait for.
    boolean hasWaitedBeforeJump() {
        if (run.outside.isWorking()) {
            if (run.options.escapes() == Escapes.WAIT) {
                waitInRealTime();
            } else {
                waitForHelpers();
            }
            return true;
        }
        return Holders.isLockHeldOutside(threads.alive()) && hasArrival();
    }

    /// Called before a deadlock is reported. Whether a thread waited for a monitor that is held outside.
    boolean hasWaitedForMonitor() {
        return Holders.isMonitorHeldOutside(threads.alive()) && hasArrival();
    }

    /// Whether a thread becomes runnable within the limit.
    private boolean hasArrival() {
        run.escaped();
        long start = System.nanoTime();
        while (!threads.hasArrivals() && System.nanoTime() - start < LIMIT_NANOS) {
            Jdk.parkSelf(SLICE_NANOS);
        }
        return threads.hasArrivals();
    }

    private void waitForHelpers() {
        long start = System.nanoTime();
        while (!threads.hasArrivals() && run.outside.isWorking()) {
            if (System.nanoTime() - start > LIMIT_NANOS) {
                run.failOutside("waits for " + run.outside + ", which is outside of the bubble and still at work after "
                        + LIMIT_SECONDS + " s of real time: " + REMEDY);
                return;
            }
            Jdk.parkSelf(SLICE_NANOS);
        }
    }

    /// The clock follows real time until a thread arrives or the next timer is due.
    private void waitInRealTime() {
        run.escaped();
        Long due = run.clock.nextDue();
        long limit = due == null ? LIMIT_NANOS : due - run.clock.now();
        long start = System.nanoTime();
        long end = start + Math.min(limit, LIMIT_NANOS);
        boolean isGrace = false;
        while (!threads.hasArrivals() && end - System.nanoTime() > 0) {
            if (!isGrace && !run.outside.isWorking()) {
                isGrace = true;
                end = Math.min(end, System.nanoTime() + GRACE_NANOS);
            }
            Jdk.parkSelf(SLICE_NANOS);
        }
        run.clock.pass(Math.min(limit, System.nanoTime() - start));
        if (!threads.hasArrivals() && due == null && !isGrace) {
            run.fail(
                    FailureKind.DEADLOCK,
                    "all " + threads.live() + " threads wait, and in " + LIMIT_SECONDS
                            + " s of real time nothing outside woke one (" + run.outside + ")",
                    null);
        }
    }
}
