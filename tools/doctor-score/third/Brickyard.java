// problem: A delivery puts its load into the bounded queue of the kiln while it holds the yard's monitor. When the
//     queue is full it waits there; the kiln, which alone empties the queue, needs the same monitor to book a load.
// place: Yard.deliver
// remedy: Put into the queue after the monitor is released, or use a lock of its own for the books.
// named: the delivery holds the monitor and waits for the full queue, and the taker of the queue waits for the
//     monitor
// half: only the monitor (slow or stuck holder), or only the full queue or its taker, is blamed
// false: a kiln that is too slow, an unlock that was lost, too many threads
// shows: fired stays the same, and queued is 12
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

public class Brickyard {

    record Load(int bricks, String clay) {}

    static final class Yard {
        private final BlockingQueue<Load> kiln = new ArrayBlockingQueue<>(12);
        private final Deque<String> book = new ArrayDeque<>();
        private int unfired;

        synchronized void deliver(Load load) throws InterruptedException {
            unfired += load.bricks();
            note("in " + load.bricks() + " " + load.clay());
            kiln.put(load);
        }

        Load next() throws InterruptedException {
            return kiln.take();
        }

        synchronized void bookFired(Load load) {
            unfired -= load.bricks();
            note("out " + load.bricks() + " " + load.clay());
        }

        private void note(String entry) {
            book.addLast(entry);
            if (book.size() > 1_000) {
                book.removeFirst();
            }
        }
    }

    private final Yard yard = new Yard();
    private final AtomicInteger fired = new AtomicInteger();

    private void fire() {
        try {
            while (true) {
                Load load = yard.next();
                Thread.sleep(8);
                yard.bookFired(load);
                fired.addAndGet(load.bricks());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void cart(String clay) {
        var random = ThreadLocalRandom.current();
        try {
            while (true) {
                Thread.sleep(random.nextInt(60, 140));
                yard.deliver(new Load(random.nextInt(100, 400), clay));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var brickyard = new Brickyard();
        Thread.ofVirtual().name("kiln").start(brickyard::fire);
        for (int i = 0; i < 20; i++) {
            String clay = i % 3 == 0 ? "red" : "yellow";
            Thread.ofVirtual().name("cart-" + i).start(() -> brickyard.cart(clay));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf("fired %d, queued %d%n", brickyard.fired.get(), brickyard.yard.kiln.size());
        }
    }
}
