// problem: All waiters hand their orders to one cook through a queue without capacity, and the cook is slower than the
//     orders arrive, so each waiter stands in put until the cook takes the order.
// place: Pass.order
// place: Pass.cook
// remedy: Let several cooks take orders, or accept orders into a bounded buffer and refuse what does not fit.

import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.LongAdder;

/** A restaurant: 60 waiters with a tablet each, and displays that show the menu. */
public final class Kitchen {

    private static final LongAdder menus = new LongAdder();

    private static void showMenu(int display) throws InterruptedException {
        Thread.sleep(5); // the menu comes from the web server
        menus.add(display % 2);
    }

    public static void main(String[] args) {
        var pass = new Pass();
        Thread.ofVirtual().name("cook").start(pass::cook);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 60; i++) {
                int table = i;
                threads.submit(() -> {
                    for (int dish = 0; ; dish++) {
                        Thread.sleep(40); // guests choose
                        pass.order(table, dish % 30);
                    }
                });
            }
            for (int i = 0; i < 30; i++) {
                int display = i;
                threads.submit(() -> {
                    while (true) {
                        showMenu(display);
                        Thread.sleep(20);
                    }
                });
            }
        }
    }
}

/** Where orders come in. */
final class Pass {

    private record Order(int table, int dish) {}

    private final SynchronousQueue<Order> counter = new SynchronousQueue<>(true);
    private final LongAdder cooked = new LongAdder();

    void order(int table, int dish) throws InterruptedException {
        counter.put(new Order(table, dish));
    }

    void cook() {
        try {
            while (true) {
                Order order = counter.take();
                Thread.sleep(12 + order.dish() % 4); // sends it to the printer above the stove
                cooked.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
