package dev.heddle.testkit.tests;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Two programs whose interleaving must follow from the seed alone. Also a program of its own: it prints what each seed
/// did, for a comparison with another JVM.
final class Determinism {

    private Determinism() {}

    public static void main(String[] arguments) {
        for (int seed = 0; seed < Integer.parseInt(arguments[0]); seed++) {
            logs(seed, 1, Determinism::locks).forEach(System.out::println);
            logs(seed, 1, Determinism::monitors).forEach(System.out::println);
        }
    }

    interface Program {
        String run() throws InterruptedException;
    }

    /// What the runs of one seed did: each check runs the schedule three times.
    static List<String> logs(long seed, int checks, Program program) {
        Options options = Options.defaults().withSchedules(1).withSeed(seed).withStrategy(Strategy.RANDOM);
        List<String> logs = new ArrayList<>();
        for (int i = 0; i < checks; i++) {
            Bubble.check(options, _ -> logs.add(program.run()));
        }
        return logs;
    }

    /// Locks, queues, conditions, sleeps, timed polls and random numbers.
    static String locks() throws InterruptedException {
        List<String> log = new ArrayList<>();
        ReentrantLock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int id = i;
            threads.add(start(() -> {
                for (int k = 0; k < 5; k++) {
                    queue.put(id * 10 + k);
                    lock.lock();
                    try {
                        log.add("p" + id + "." + k);
                        changed.signal();
                        if (k == 2) {
                            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 50));
                        }
                    } finally {
                        lock.unlock();
                    }
                    Thread.yield();
                }
            }));
        }
        for (int i = 0; i < 2; i++) {
            int id = i;
            threads.add(start(() -> {
                for (Integer value = queue.poll(3, TimeUnit.SECONDS);
                        value != null;
                        value = queue.poll(3, TimeUnit.SECONDS)) {
                    lock.lock();
                    try {
                        log.add("c" + id + "<" + value);
                        changed.awaitNanos(1_000_000);
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }
        join(threads);
        log.add("t=" + System.nanoTime() / 1_000_000);
        return String.join(" ", log);
    }

    /// Monitors, wait and notify, and yields while a monitor is held.
    static String monitors() throws InterruptedException {
        List<String> log = new ArrayList<>();
        Object a = new Object();
        Object b = new Object();
        int[] box = new int[1];
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int id = i;
            threads.add(start(() -> {
                for (int k = 0; k < 4; k++) {
                    synchronized (a) {
                        log.add("a" + id);
                        Thread.yield();
                        if (k == 1) {
                            Thread.sleep(5);
                        }
                    }
                    synchronized (b) {
                        log.add("b" + id);
                        if (box[0] > 0 && id % 2 == 0) {
                            b.wait(10);
                            log.add("w" + id);
                        } else {
                            box[0]++;
                            b.notifyAll();
                        }
                        Thread.yield();
                    }
                }
            }));
        }
        join(threads);
        return String.join(" ", log);
    }

    private interface Action {
        void run() throws InterruptedException;
    }

    private static Thread start(Action action) {
        return Thread.startVirtualThread(() -> {
            try {
                action.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
