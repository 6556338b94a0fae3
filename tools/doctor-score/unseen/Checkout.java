// problem: Buyers and fillers wait on one monitor, and notify wakes the wrong kind, so the wake-up is lost and all of
//     them wait though they could go on.
// place: Shelf.take
// place: Shelf.put
// remedy: Use notifyAll, or a lock with two conditions, or a BlockingQueue.

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** A vending hall: fillers put goods on a shelf for 2, buyers take them. */
public final class Checkout {

    static final class Shelf {
        private final Deque<String> goods = new ArrayDeque<>();

        synchronized void put(String thing) throws InterruptedException {
            while (goods.size() == 2) {
                wait();
            }
            goods.addLast(thing);
            notify();
        }

        synchronized String take() throws InterruptedException {
            while (goods.isEmpty()) {
                wait();
            }
            String thing = goods.removeFirst();
            notify();
            return thing;
        }
    }

    public static void main(String[] args) throws Exception {
        var shelf = new Shelf();
        var sold = new LongAdder();
        try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                int filler = i;
                people.submit(() -> {
                    for (int n = 0; ; n++) {
                        shelf.put("bottle " + filler + "." + n);
                    }
                });
                people.submit(() -> {
                    while (true) {
                        sold.add(shelf.take().length());
                    }
                });
            }
            people.submit(() -> {
                while (true) {
                    Thread.sleep(25); // the hall's clock
                }
            });
        }
    }
}
