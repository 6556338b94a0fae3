package dev.heddle.testkit.secondset;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Lost notify: borrowers and a checkpoint wait on one monitor for two different conditions, and a returned connection
/// wakes one of them. If that is the checkpoint, the borrower that could go on sleeps for ever.
class ConnectionPool {

    private final int size;
    private final Deque<Connection> idle = new ArrayDeque<>();

    private ConnectionPool(int size) {
        this.size = size;
        for (int id = 0; id < size; id++) {
            idle.add(new Connection(id));
        }
    }

    static void broken() {
        new ConnectionPool(2).serveWithCheckpoint();
    }

    /// Not of the set: here the mistake shows even if `notify` always wakes the longest waiter, as the JVM does.
    static void brokenWithOneConnection() {
        new ConnectionPool(1).serveWithCheckpoint();
    }

    static void fixed() {
        new PoolThatWakesAll(2).serveWithCheckpoint();
    }

    private synchronized Connection borrow() throws InterruptedException {
        while (idle.isEmpty()) {
            wait();
        }
        return idle.removeFirst();
    }

    private synchronized void giveBack(Connection connection) {
        idle.addLast(connection);
        wakeWaiters();
    }

    /// Waits until no connection is in use.
    private synchronized void awaitQuiet() throws InterruptedException {
        while (idle.size() < size) {
            wait();
        }
    }

    void wakeWaiters() {
        notify();
    }

    final void serveWithCheckpoint() {
        var served = new AtomicInteger();
        try (var requests = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 3; i++) {
                requests.submit(() -> {
                    Connection connection = borrow();
                    served.addAndGet(connection.query());
                    giveBack(connection);
                    return null;
                });
            }
            requests.submit(() -> {
                awaitQuiet();
                return null;
            });
        }
        if (served.get() != 3) {
            throw new AssertionError(served + " of 3 requests were served");
        }
    }

    private record Connection(int id) {
        int query() {
            return 1;
        }
    }

    /// The correction: a returned connection wakes all waiters, and each one checks its own condition.
    private static final class PoolThatWakesAll extends ConnectionPool {
        private PoolThatWakesAll(int size) {
            super(size);
        }

        @Override
        void wakeWaiters() {
            notifyAll();
        }
    }
}
