// problem: While the water is off, all 24 drums wait for one condition. When it is on again, the plant signals the
//     condition once, with signal instead of signalAll: one drum washes, and the others never hear of it.
// place: Plant.awaitWater
// place: Plant.turnOn
// remedy: Use signalAll in turnOn, because every waiting drum can go on.
// named: threads wait for a condition that is already true, or that is signalled to one of them only, at a place
// half: threads wait at the condition and make no progress, without the lost signal
// false: a lock that is held, a deadlock, a consumer that is too slow, idle workers
// shows: washing is 1 of 24, or few more if a drum started late
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class Laundry {

    static final class Plant {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition water = lock.newCondition();
        private boolean isOff;

        void awaitWater() throws InterruptedException {
            lock.lock();
            try {
                while (isOff) {
                    water.await();
                }
            } finally {
                lock.unlock();
            }
        }

        void turnOff() {
            lock.lock();
            try {
                isOff = true;
            } finally {
                lock.unlock();
            }
        }

        void turnOn() {
            lock.lock();
            try {
                isOff = false;
                water.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    private final Plant plant = new Plant();
    private final AtomicInteger washing = new AtomicInteger();
    private final AtomicInteger loads = new AtomicInteger();

    private void drum() {
        try {
            while (true) {
                plant.awaitWater();
                washing.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(40, 90));
                washing.decrementAndGet();
                loads.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The water is off for a moment now and then, for the filter.
    private void filter() {
        try {
            while (true) {
                Thread.sleep(300);
                plant.turnOff();
                Thread.sleep(500);
                plant.turnOn();
                Thread.sleep(30_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var laundry = new Laundry();
        Thread.ofVirtual().name("filter").start(laundry::filter);
        for (int i = 0; i < 24; i++) {
            Thread.ofVirtual().name("drum-" + i).start(laundry::drum);
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf("loads %d, washing %d of 24%n", laundry.loads.get(), laundry.washing.get());
        }
    }
}
