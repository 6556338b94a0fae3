// problem: Every goal wakes the viewers of all matches, thousands of them, though only a few wait for this match; each
//     takes the lock, finds nothing new and waits again.
// place: Board.next
// place: Board.goal
// remedy: Give each match a lock and condition of its own, so that a goal wakes only its viewers.

import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Live results: 3,000 viewers wait for the next goal of their match. */
public final class Scoreboard {

    private static final int MATCHES = 150;

    public static void main(String[] args) {
        var board = new Board(MATCHES);
        var shown = new LongAdder();
        var comments = new LongAdder();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 3_000; i++) {
                int match = i % MATCHES;
                threads.submit(() -> {
                    int goals = 0;
                    while (true) {
                        goals = board.next(match, goals);
                        shown.increment();
                    }
                });
            }
            for (int i = 0; i < 20; i++) {
                threads.submit(() -> {
                    while (true) {
                        Thread.sleep(15); // a viewer writes
                        comments.increment();
                    }
                });
            }
            threads.submit(() -> {
                while (true) {
                    Thread.sleep(4); // a scorer enters a goal
                    board.goal(ThreadLocalRandom.current().nextInt(MATCHES));
                }
            });
        }
    }
}

/** The goals of all matches. */
final class Board {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final int[] goals;

    Board(int matches) {
        goals = new int[matches];
    }

    /** Returns the number of goals when it differs from the one that the viewer knows. */
    int next(int match, int known) throws InterruptedException {
        lock.lock();
        try {
            while (goals[match] == known) {
                changed.await();
            }
            return goals[match];
        } finally {
            lock.unlock();
        }
    }

    void goal(int match) {
        lock.lock();
        try {
            goals[match]++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
