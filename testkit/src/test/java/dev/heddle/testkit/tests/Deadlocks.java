package dev.heddle.testkit.tests;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.ScheduleFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// A program that deadlocks in some schedules, as a test of other JVMs: `replay CODE` repeats one schedule and prints
/// the failure; `locks NUMBER` and `monitors NUMBER` run at least that many deadlocks.
@SuppressWarnings("LockNotBeforeTry") // it deadlocks on purpose
final class Deadlocks {

    /// What each deadlocked thread refers to: many of them do not fit in a small heap.
    private static final int BYTES_OF_A_THREAD = 50_000;

    private Deadlocks() {}

    public static void main(String[] arguments) {
        switch (arguments[0]) {
            case "replay" -> replay(arguments[1]);
            case "locks" -> repeat(Integer.parseInt(arguments[1]), _ -> twoLocks());
            case "monitors" -> repeat(Integer.parseInt(arguments[1]), _ -> twoMonitors(new ArrayList<>()));
            case "stacks" -> stacks();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void replay(String code) {
        try {
            Bubble.check(Options.defaults().withReplay(code), _ -> twoLocks());
            System.out.println("did not fail");
        } catch (ScheduleFailure failure) {
            System.out.println(failure.getMessage());
        }
    }

    private static void repeat(int deadlocks, Bubble.Body body) {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        for (int seed = 0; begun.get() - ended.get() < deadlocks; seed++) {
            try {
                Bubble.check(Options.defaults().withSeed(seed), bubble -> {
                    begun.incrementAndGet();
                    body.run(bubble);
                    ended.incrementAndGet();
                });
            } catch (ScheduleFailure failure) {
                // it and its replays are counted
            }
        }
        System.out.println("deadlocked " + (begun.get() - ended.get()));
    }

    /// Prints what a deadlocked thread looks like when its schedule is over.
    private static void stacks() {
        List<Thread> threads = new ArrayList<>();
        try {
            Bubble.check(_ -> {
                threads.clear();
                twoMonitors(threads);
            });
        } catch (ScheduleFailure failure) {
            System.gc();
            threads.forEach(
                    thread -> System.out.println(thread.getState() + ", frames: " + thread.getStackTrace().length));
        }
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

    private static void twoMonitors(List<Thread> threads) throws InterruptedException {
        byte[] a = new byte[BYTES_OF_A_THREAD];
        byte[] b = new byte[BYTES_OF_A_THREAD];
        threads.add(Thread.startVirtualThread(() -> nested(a, b)));
        threads.add(Thread.startVirtualThread(() -> nested(b, a)));
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void nested(byte[] outer, byte[] inner) {
        synchronized (outer) {
            synchronized (inner) {
                inner[0]++;
            }
        }
    }
}
