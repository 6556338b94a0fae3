// healthy: Every 700 ms an article goes to 600 virtual threads, one for each edition. They compute a little, read the
//     shared style under a read lock, wait for the printer, and are joined by a latch. Between the bursts nothing runs.

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Lays out each new article for 600 local editions. */
public final class Newsroom {

    private static final int EDITIONS = 600;

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final LongAdder printed = new LongAdder();
    private int columns = 4;

    private void layOut(int edition, int article, CountDownLatch done) {
        try {
            int lines = article + edition;
            for (int i = 0; i < 3_000; i++) {
                lines = lines * 31 + i;
            }
            printed.add(Math.abs(lines % columns()));
            Thread.sleep(10 + edition % 40); // the printer confirms
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            done.countDown();
        }
    }

    private int columns() {
        lock.readLock().lock();
        try {
            return columns;
        } finally {
            lock.readLock().unlock();
        }
    }

    private void changeStyle(int article) {
        lock.writeLock().lock();
        try {
            columns = 3 + article % 3;
        } finally {
            lock.writeLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        var newsroom = new Newsroom();
        for (int number = 0; ; number++) {
            int article = number;
            newsroom.changeStyle(article);
            var done = new CountDownLatch(EDITIONS);
            for (int i = 0; i < EDITIONS; i++) {
                int edition = i;
                Thread.startVirtualThread(() -> newsroom.layOut(edition, article, done));
            }
            done.await();
            Thread.sleep(650);
        }
    }
}
