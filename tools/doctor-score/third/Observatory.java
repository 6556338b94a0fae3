// problem: An export holds the read lock of the sky map while it sends row after row to a slow client, for many
//     seconds. The next update waits for the write lock, and every lookup after it queues behind the update.
// place: SkyMap.export
// remedy: Copy what is to be sent under the lock, or page by page, and send it without the lock.
// named: the read-write lock is held for seconds by the export, which sends meanwhile; or lookups queue behind an
//     update that waits for the export. The export's frame is shown
// half: the lock is contended, seen from the lookups or the updates only
// false: a deadlock, a slow update, too many threads
// shows: lookups stays the same for about 12 seconds of every 13
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class Observatory {

    record Star(int id, double ascension, double declination) {}

    interface Client {
        void send(Star star) throws InterruptedException;
    }

    static final class SkyMap {
        private final TreeMap<Integer, Star> stars = new TreeMap<>();
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private final LongAdder lookups = new LongAdder();
        private final AtomicInteger updates = new AtomicInteger();

        void put(Star star) {
            lock.writeLock().lock();
            try {
                stars.put(star.id(), star);
                updates.incrementAndGet();
            } finally {
                lock.writeLock().unlock();
            }
        }

        Star locate(int id) {
            lock.readLock().lock();
            try {
                lookups.increment();
                return stars.get(id);
            } finally {
                lock.readLock().unlock();
            }
        }

        int export(Client client) throws InterruptedException {
            int sent = 0;
            lock.readLock().lock();
            try {
                for (Star star : stars.values()) {
                    client.send(star);
                    sent++;
                }
            } finally {
                lock.readLock().unlock();
            }
            return sent;
        }
    }

    interface Task {
        void run() throws InterruptedException;
    }

    private static void forever(String name, long pauseMillis, Task task) {
        Thread.ofVirtual().name(name).start(() -> {
            try {
                while (true) {
                    Thread.sleep(pauseMillis);
                    task.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        var map = new SkyMap();
        for (int i = 0; i < 400; i++) {
            map.put(new Star(i, i * 0.9, i * 0.45 - 90));
        }
        forever("export", 1_000, () -> map.export(_ -> Thread.sleep(30))); // a client on a thin line
        forever("tracker", 250, () -> map.put(new Star(ThreadLocalRandom.current().nextInt(400), 1.5, 0.5)));
        for (int i = 0; i < 48; i++) {
            forever("telescope-" + i, 15, () -> map.locate(ThreadLocalRandom.current().nextInt(400)));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf("lookups %d, updates %d%n", map.lookups.sum(), map.updates.get());
        }
    }
}
