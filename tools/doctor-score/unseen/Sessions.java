// problem: A thread that holds the read lock asks for the write lock of the same ReentrantReadWriteLock, which it
//     never gets; everybody queues behind.
// place: SessionTable.touch
// place: SessionTable.renew
// remedy: Give the read lock back before taking the write lock and check again, or use a StampedLock's conversion or
//     a ConcurrentHashMap.

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A service that looks up the session of every request and renews it when it is about to end. */
public final class Sessions {

    record Session(String user, long endsAt) {}

    static final class SessionTable {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private final Map<Integer, Session> sessions = new HashMap<>();

        Session touch(int id) {
            lock.readLock().lock();
            try {
                Session session = sessions.get(id);
                if (session == null || session.endsAt() < System.currentTimeMillis() + 200) {
                    return renew(id);
                }
                return session;
            } finally {
                lock.readLock().unlock();
            }
        }

        private Session renew(int id) {
            lock.writeLock().lock();
            try {
                var session = new Session("user " + id, System.currentTimeMillis() + 1_000);
                sessions.put(id, session);
                return session;
            } finally {
                lock.writeLock().unlock();
            }
        }

        /** The nightly restore fills the table before the first request. */
        void restore() {
            lock.writeLock().lock();
            try {
                for (int id = 0; id < 5_000; id++) {
                    sessions.put(id, new Session("user " + id, System.currentTimeMillis() + 900));
                }
            } finally {
                lock.writeLock().unlock();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        var table = new SessionTable();
        var served = new LongAdder();
        table.restore();
        try (var requests = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                requests.submit(() -> {
                    while (true) {
                        int id = ThreadLocalRandom.current().nextInt(5_000);
                        if (table.touch(id).user().isEmpty()) {
                            throw new IllegalStateException("no user for session " + id);
                        }
                        served.increment();
                        Thread.sleep(10);
                    }
                });
            }
        }
    }
}
