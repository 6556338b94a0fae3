package dev.heddle.testkit.tests;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.ScheduleFailure;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// A program that deadlocks in some schedules, as a test of other JVMs: with a code it repeats one schedule and prints
/// the failure; with a number it runs at least that many deadlocks.
@SuppressWarnings("LockNotBeforeTry") // it deadlocks on purpose
final class Deadlocks {

    private Deadlocks() {}

    public static void main(String[] arguments) {
        if (arguments[0].contains(":")) {
            try {
                Bubble.check(Options.defaults().withReplay(arguments[0]), _ -> twoLocks());
                System.out.println("did not fail");
            } catch (ScheduleFailure failure) {
                System.out.println(failure.getMessage());
            }
            return;
        }
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        for (int seed = 0; begun.get() - ended.get() < Integer.parseInt(arguments[0]); seed++) {
            try {
                Bubble.check(Options.defaults().withSeed(seed), _ -> {
                    begun.incrementAndGet();
                    twoLocks();
                    ended.incrementAndGet();
                });
            } catch (ScheduleFailure failure) {
                // it and its replays are counted
            }
        }
        System.out.println("deadlocked " + (begun.get() - ended.get()));
    }

    static void twoLocks() throws InterruptedException {
        ReentrantLock a = new ReentrantLock();
        ReentrantLock b = new ReentrantLock();
        Thread one = Thread.startVirtualThread(() -> nested(a, b));
        Thread two = Thread.startVirtualThread(() -> nested(b, a));
        one.join();
        two.join();
    }

    private static void nested(ReentrantLock outer, ReentrantLock inner) {
        outer.lock();
        inner.lock();
        inner.unlock();
        outer.unlock();
    }
}
