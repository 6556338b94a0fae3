// problem: An order runs in the pool of six ovens, and submits its parts to the same pool and waits for them. As
//     soon as six orders run at once, each holds a thread and waits for a part that no thread is left to run.
// place: Ovens.bake
// remedy: Run the parts in another executor, such as one virtual thread for each, or let the order run in its
//     caller.
// named: the pool's threads all wait for tasks of the same pool, at the place
// half: the pool is saturated or a future is never done, without saying that the parts are queued behind their
//     orders
// false: ovens that are slow or too few, or a lock
// shows: baked stays the same, and queued is above 0
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Bakery {

    record Order(int customer, List<String> parts) {}

    static final class Ovens {
        private final ThreadPoolExecutor pool = (ThreadPoolExecutor)
                Executors.newFixedThreadPool(6, Thread.ofVirtual().name("oven-", 0).factory());
        private final LongAdder baked = new LongAdder();

        Future<String> order(Order order) {
            return pool.submit(() -> bake(order));
        }

        private String bake(Order order) throws InterruptedException, ExecutionException {
            List<Future<String>> parts = new ArrayList<>();
            for (String part : order.parts()) {
                parts.add(pool.submit(step(part)));
            }
            var cake = new StringBuilder("cake for " + order.customer() + ":");
            for (Future<String> part : parts) {
                cake.append(' ').append(part.get());
            }
            baked.increment();
            return cake.toString();
        }

        private Callable<String> step(String part) {
            return () -> {
                Thread.sleep(ThreadLocalRandom.current().nextInt(10, 40));
                return part;
            };
        }
    }

    private final Ovens ovens = new Ovens();

    private void customer(int number) {
        while (true) {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(50, 400));
                ovens.order(new Order(number, List.of("dough", "filling", "glaze"))).get();
            } catch (InterruptedException | ExecutionException e) {
                System.out.println("customer " + number + " leaves: " + e);
                return;
            }
        }
    }

    /// The shop window has its own work, which does not need the ovens.
    private void window() throws InterruptedException {
        while (true) {
            Thread.sleep(1_000);
            System.out.printf(
                    "baked %d, ovens in use %d, queued %d%n",
                    ovens.baked.sum(), ovens.pool.getActiveCount(), ovens.pool.getQueue().size());
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var bakery = new Bakery();
        for (int i = 0; i < 30; i++) {
            int number = i;
            Thread.ofVirtual().name("customer-" + i).start(() -> bakery.customer(number));
        }
        bakery.window();
    }
}
