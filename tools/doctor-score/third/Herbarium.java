// problem: A lookup that finds no entry calls the import while it holds the read lock, and the import takes the
//     write lock of the same lock. A read lock cannot be upgraded: the thread waits for itself, and all readers behind
//     it.
// place: Catalogue.importSheet
// place: Catalogue.find
// remedy: Release the read lock before the import and look again under the write lock, or use computeIfAbsent.
// named: a thread waits for the write lock while it holds the read lock (itself or another reader), at a place
// half: threads wait for the read-write lock and none makes progress, without the upgrade
// false: a lock that is held long by a slow call, or a holder that has ended
// shows: found stays the same
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class Herbarium {

    record Sheet(int number, String species, int year) {}

    static final class Catalogue {
        private final ReadWriteLock lock = new ReentrantReadWriteLock();
        private final Map<Integer, Sheet> sheets = new HashMap<>();
        private final LongAdder found = new LongAdder();
        private final AtomicInteger imported = new AtomicInteger();

        Catalogue() {
            for (int i = 0; i < 4_000; i++) {
                importSheet(i);
            }
        }

        Sheet find(int number) {
            lock.readLock().lock();
            try {
                Sheet sheet = sheets.get(number);
                if (sheet == null) {
                    sheet = importSheet(number);
                }
                found.increment();
                return sheet;
            } finally {
                lock.readLock().unlock();
            }
        }

        private Sheet importSheet(int number) {
            var sheet = new Sheet(number, "Salix " + Integer.toString(number, 36), 1850 + number % 150);
            lock.writeLock().lock();
            try {
                sheets.put(number, sheet);
                imported.incrementAndGet();
                return sheet;
            } finally {
                lock.writeLock().unlock();
            }
        }
    }

    private static void visit(Catalogue catalogue) {
        try {
            while (true) {
                int number = (int) Math.abs(ThreadLocalRandom.current().nextGaussian() * 1_200);
                Sheet sheet = catalogue.find(number);
                if (sheet.year() < 1850) {
                    throw new IllegalStateException("too old: " + sheet);
                }
                Thread.sleep(25);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var catalogue = new Catalogue();
        for (int i = 0; i < 60; i++) {
            Thread.ofVirtual().name("visitor-" + i).start(() -> visit(catalogue));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf("found %d, imported %d%n", catalogue.found.sum(), catalogue.imported.get());
        }
    }
}
