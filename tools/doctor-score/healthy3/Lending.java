// healthy: 120 readers and four writers share a fair read-write lock and hold it for microseconds. The lock is taken
//     thousands of times in a second and threads queue at it for moments, but none waits long.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class Lending {

    static final class Shelves {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
        private final List<String> books = new ArrayList<>();
        private final LongAdder searches = new LongAdder();
        private final LongAdder returns = new LongAdder();

        Shelves() {
            for (int i = 0; i < 500; i++) {
                books.add("book " + i);
            }
        }

        boolean has(String title) {
            lock.readLock().lock();
            try {
                searches.increment();
                return books.contains(title);
            } finally {
                lock.readLock().unlock();
            }
        }

        void bringBack(String title) {
            lock.writeLock().lock();
            try {
                books.set(ThreadLocalRandom.current().nextInt(books.size()), title);
                returns.increment();
            } finally {
                lock.writeLock().unlock();
            }
        }
    }

    interface Visit {
        void happen();
    }

    private static void often(String name, int millis, Visit visit) {
        Thread.ofVirtual().name(name).start(() -> {
            try {
                while (true) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(millis, 2 * millis));
                    visit.happen();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        var shelves = new Shelves();
        for (int i = 0; i < 120; i++) {
            int reader = i;
            often("reader-" + i, 100, () -> shelves.has("book " + reader));
        }
        for (int i = 0; i < 4; i++) {
            int desk = i;
            often("desk-" + i, 40, () -> shelves.bringBack("returned at desk " + desk));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf("searches %d, returns %d%n", shelves.searches.sum(), shelves.returns.sum());
        }
    }
}
