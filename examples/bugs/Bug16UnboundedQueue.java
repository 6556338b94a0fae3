import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/// Bug 16: a queue without a bound between fast producers and slow consumers.
///
/// **Symptom.** Memory grows for hours, then the garbage collector runs all the time, then the process ends. What is in
/// the queue is answered minutes late. **Cause.** `new LinkedBlockingQueue<>()` has room for two thousand million
/// entries, so `put` never waits. **Fix.** A bound: the producers wait, and whoever calls them notices.
///
/// `./heddle run examples/bugs/Bug16UnboundedQueue.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug16UnboundedQueue {
    private static final int PRODUCERS = 4;
    private static final int CONSUMERS = 4;
    private static final int BOUND = 100;

    private static final LongAdder done = new LongAdder();
    private static final LongAdder lateMillis = new LongAdder();

    private record Order(long nanoTime, byte[] form) {}

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        BlockingQueue<Order> orders = fixed ? new ArrayBlockingQueue<>(BOUND) : new LinkedBlockingQueue<>();
        for (int i = 0; i < PRODUCERS; i++) {
            Thread.startVirtualThread(() -> produce(orders));
        }
        for (int i = 0; i < CONSUMERS; i++) {
            Thread.startVirtualThread(() -> consume(orders));
        }
        Thread.sleep(Integer.getInteger("seconds", 3) * 1_000L);
        System.out.printf(
                "%s: %,d orders done, each %,d ms after it was made; %,d in the queue%n",
                fixed ? "fixed" : "broken", done.sum(), lateMillis.sum() / Math.max(1, done.sum()), orders.size());
        System.exit(0);
    }

    private static void produce(BlockingQueue<Order> orders) {
        try {
            while (true) {
                orders.put(new Order(System.nanoTime(), new byte[1_000]));
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void consume(BlockingQueue<Order> orders) {
        try {
            while (true) {
                Order order = orders.take();
                Thread.sleep(5); // stands for a database
                done.increment();
                lateMillis.add((System.nanoTime() - order.nanoTime()) / 1_000_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
