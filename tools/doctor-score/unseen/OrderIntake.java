// problem: Orders that fail validation never give their connection back, so the pool is empty and every order waits
//     forever.
// place: Connections.borrow
// place: OrderIntake.accept
// remedy: Give the connection back in a finally block or by try-with-resources, so that the failing path returns it
//     too.

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Takes orders, about 120 a second, and stores them by one of 10 database connections. */
public final class OrderIntake {

    record Order(long id, int quantity, String customer) {}

    /** Stands for a JDBC connection: a statement takes some milliseconds. */
    static final class Connection {
        private final AtomicLong rows = new AtomicLong();

        void insert(Order order) throws InterruptedException {
            Thread.sleep(3);
            rows.addAndGet(order.quantity());
        }
    }

    static final class Connections {
        private final BlockingQueue<Connection> idle = new ArrayBlockingQueue<>(10);

        Connections() {
            for (int i = 0; i < 10; i++) {
                idle.add(new Connection());
            }
        }

        Connection borrow() throws InterruptedException {
            return idle.take();
        }

        void giveBack(Connection connection) {
            idle.add(connection);
        }
    }

    private final Connections connections = new Connections();
    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    void accept(Order order) {
        try {
            Connection connection = connections.borrow();
            check(order);
            connection.insert(order);
            connections.giveBack(connection);
            stored.incrementAndGet();
        } catch (IllegalArgumentException e) {
            refused.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void check(Order order) {
        if (order.quantity() <= 0) {
            throw new IllegalArgumentException("order " + order.id() + " has quantity " + order.quantity());
        }
    }

    public static void main(String[] args) throws Exception {
        var intake = new OrderIntake();
        var requests = Executors.newVirtualThreadPerTaskExecutor();
        for (long id = 0; ; id++) {
            var order = new Order(id, ThreadLocalRandom.current().nextInt(-1, 8), "customer " + id % 50);
            requests.execute(() -> intake.accept(order));
            if (id < 4_000) {
                Thread.sleep(8);
            } else {
                Thread.sleep(1_000); // the load balancer has taken the node out
            }
        }
    }
}
