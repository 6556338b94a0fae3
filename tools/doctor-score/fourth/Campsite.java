// problem: A change of the settings is applied by a task of the executor that it replaces: the task closes that
//     executor, which waits for all its tasks, and so for itself. It holds the write lock, so no request gets in.
// place: Wardens.renew
// place: Wardens.submit
// remedy: Close the old executor from outside (or shut it down without waiting), after the lock is given back.
// named: a task waits in close or awaitTermination for its own executor, at the place
// half: the lock is held by a thread that waits in close or awaitTermination, or by a thread that never goes on,
//     without that it is a task of that executor
// false: a lost unlock, a slow task, a deadlock of locks, a pool
// shows: pitched stays the same
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class Campsite {

    record Settings(int version, int places) {}

    static final class Wardens {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private Settings settings = new Settings(1, 40);
        private ExecutorService executor = start(settings);

        private static ExecutorService start(Settings settings) {
            return Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("warden-" + settings.version() + "-", 0).factory());
        }

        <T> Future<T> submit(Callable<T> task) {
            lock.readLock().lock();
            try {
                return executor.submit(task);
            } finally {
                lock.readLock().unlock();
            }
        }

        void renew(Settings changed) {
            lock.writeLock().lock();
            try {
                if (changed.version() <= settings.version()) {
                    return;
                }
                ExecutorService old = executor;
                settings = changed;
                executor = start(changed);
                old.close();
            } finally {
                lock.writeLock().unlock();
            }
        }
    }

    static final class Office {
        private final Wardens wardens;
        private final AtomicInteger guests = new AtomicInteger();

        Office(Wardens wardens) {
            this.wardens = wardens;
        }

        int pitch(int tent) throws InterruptedException {
            Thread.sleep(10);
            int guest = guests.incrementAndGet();
            if (guest == 400) {
                wardens.renew(new Settings(2, 60));
            }
            return guest + tent;
        }
    }

    private static void arrive(Office office, Wardens wardens, LongAdder pitched, int tent) {
        try {
            while (true) {
                wardens.submit(() -> office.pitch(tent)).get();
                pitched.increment();
                Thread.sleep(25);
            }
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    private static void swim(LongAdder lanes) {
        try {
            while (true) {
                Thread.sleep(40);
                lanes.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Wardens wardens = new Wardens();
        Office office = new Office(wardens);
        LongAdder pitched = new LongAdder();
        LongAdder lanes = new LongAdder();
        for (int i = 0; i < 40; i++) {
            int tent = i;
            Thread.ofVirtual().name("camper-" + i).start(() -> arrive(office, wardens, pitched, tent));
            Thread.ofVirtual().name("swimmer-" + i).start(() -> swim(lanes));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("pitched " + pitched + ", lanes " + lanes);
        }
    }
}
