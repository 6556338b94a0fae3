// problem: Bakers and waiters of a counter wait in one and the same condition and wake one thread with signal. The
//     signal goes to a thread of the wrong kind, which waits again, and is lost. In the end all of them wait, at each
//     of the three counters.
// place: Counter.put
// place: Counter.take
// remedy: Use two conditions (not full, not empty), or signalAll.
// named: all threads wait in a condition that nobody signals any more (a lost signal, signal instead of signalAll),
//     at the place
// half: threads wait long in the condition, without that nobody can wake them; or a queue whose other side is idle
// false: a deadlock of locks, a lost unlock, slow consumers, CPU
// shows: eaten stays the same
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class Patisserie {

    record Cake(String name, int pieces) {}

    static final class Counter {
        private static final int PLACES = 1;

        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final Queue<Cake> cakes = new ArrayDeque<>();

        void put(Cake cake) throws InterruptedException {
            lock.lock();
            try {
                while (cakes.size() == PLACES) {
                    changed.await();
                }
                cakes.add(cake);
                changed.signal();
            } finally {
                lock.unlock();
            }
        }

        Cake take() throws InterruptedException {
            lock.lock();
            try {
                while (cakes.isEmpty()) {
                    changed.await();
                }
                Cake cake = cakes.remove();
                changed.signal();
                return cake;
            } finally {
                lock.unlock();
            }
        }
    }

    record Kitchen(Counter counter, LongAdder baked) {
        void bake() {
            try {
                while (true) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                    counter.put(new Cake("tart", 8));
                    baked.increment();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    record Cafe(Counter counter, LongAdder eaten) {
        void serve() {
            try {
                while (true) {
                    Cake cake = counter.take();
                    eaten.add(cake.pieces());
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void brew(LongAdder coffees) {
        try {
            while (true) {
                Thread.sleep(30);
                coffees.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        List<Counter> counters = new ArrayList<>();
        LongAdder baked = new LongAdder();
        LongAdder eaten = new LongAdder();
        LongAdder coffees = new LongAdder();
        for (int i = 0; i < 12; i++) {
            if (i % 4 == 0) {
                counters.add(new Counter());
            }
            Counter counter = counters.getLast();
            Thread.ofVirtual().name("baker-" + i).start(new Kitchen(counter, baked)::bake);
            Thread.ofVirtual().name("waiter-" + i).start(new Cafe(counter, eaten)::serve);
            Thread.ofVirtual().name("barista-" + i).start(() -> brew(coffees));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("baked " + baked + ", eaten " + eaten + ", coffees " + coffees);
        }
    }
}
