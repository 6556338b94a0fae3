// problem: The recount takes the unfair lock again right after it released it, silo by silo, and asks a slow sensor
//     while it holds it. A waiting delivery wakes, finds the lock taken again, and waits on: deliveries hardly get a
//     turn.
// place: Recount.run
// place: Recount.measure
// remedy: Ask the sensor before taking the lock; or use a fair lock, or pause between two silos.
// named: the lock is held by the recount around a slow call, or taken by it again and again, at one of the places
// half: the lock is contended, with the frames of the deliveries only
// false: a deadlock, a lost unlock, sleeping or polling as the problem, too many threads
// shows: deliveries grows by a few in a second, though 30 are waiting and each takes no time
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

public class Granary {

    static final class Store {
        final ReentrantLock lock = new ReentrantLock();
        final double[] tonnes = new double[24];
        final LongAdder deliveries = new LongAdder();

        void deliver(int silo, double amount) {
            lock.lock();
            try {
                tonnes[silo] += amount;
                deliveries.increment();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Corrects the books by what the sensors say, around the clock.
    static final class Recount implements Runnable {
        private final Store store;
        private final LongAdder silos = new LongAdder();

        Recount(Store store) {
            this.store = store;
        }

        @Override
        public void run() {
            for (int silo = 0; ; silo = (silo + 1) % store.tonnes.length) {
                store.lock.lock();
                try {
                    store.tonnes[silo] = measure(store.tonnes[silo]);
                    silos.increment();
                } catch (InterruptedException e) {
                    return;
                } finally {
                    store.lock.unlock();
                }
            }
        }

        private double measure(double books) throws InterruptedException {
            Thread.sleep(35); // the sensor answers over a serial line
            return books * ThreadLocalRandom.current().nextDouble(0.995, 1.0);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var store = new Store();
        var recount = new Recount(store);
        Thread.ofVirtual().name("recount").start(recount);
        for (int i = 0; i < 30; i++) {
            int truck = i;
            Thread.ofVirtual().name("truck-" + i).start(() -> {
                try {
                    while (true) {
                        store.deliver(truck % store.tonnes.length, 12.5);
                        Thread.sleep(40);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf(
                    "deliveries %d, silos counted %d, waiting %d, tonnes %.0f%n",
                    store.deliveries.sum(), recount.silos.sum(), store.lock.getQueueLength(),
                    Arrays.stream(store.tonnes).sum());
        }
    }
}
