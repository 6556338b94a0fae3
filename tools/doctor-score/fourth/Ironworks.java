// problem: The listener for replies of the rolling mill drops a reply with an error after a log line; it removes the
//     order from the open orders and does not complete its future. The request waits for ever, and such requests pile
//     up.
// place: Mill.roll
// place: Mill.onReply
// remedy: Complete the future with an exception in each branch, and wait with a timeout.
// named: threads wait without a timeout for futures that nobody completes, and they get more, at the place
// half: the number of threads or of waits grows, without the futures; or a slow downstream
// false: a deadlock, a lock, a pool, CPU, unbounded spawning as the cause
// shows: waiting grows by some 60 in a second
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

public class Ironworks {

    record Order(long number, int thickness) {}

    record Reply(long number, boolean ok, String text) {}

    static final class Mill {
        private final Map<Long, CompletableFuture<String>> open = new ConcurrentHashMap<>();
        private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
        private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
        private final LongAdder errors = new LongAdder();

        void start() {
            for (int i = 0; i < 4; i++) {
                Thread.ofVirtual().name("stand-" + i).start(this::work);
            }
            Thread.ofVirtual().name("replies").start(this::listen);
        }

        String roll(Order order) {
            CompletableFuture<String> done = new CompletableFuture<>();
            open.put(order.number(), done);
            orders.add(order);
            return done.join();
        }

        private void work() {
            try {
                while (true) {
                    Order order = orders.take();
                    Thread.sleep(2);
                    boolean ok = order.thickness() >= 3;
                    replies.add(new Reply(order.number(), ok, ok ? "sheet" : "too thin"));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void listen() {
            try {
                while (true) {
                    onReply(replies.take());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void onReply(Reply reply) {
            CompletableFuture<String> done = open.remove(reply.number());
            if (!reply.ok()) {
                errors.increment();
                return;
            }
            done.complete(reply.text());
        }
    }

    static final class Desk {
        private final Mill mill;
        private final AtomicLong numbers = new AtomicLong();
        private final LongAdder accepted = new LongAdder();
        private final LongAdder delivered = new LongAdder();

        Desk(Mill mill) {
            this.mill = mill;
        }

        void accept() {
            long number = numbers.incrementAndGet();
            accepted.increment();
            Thread.ofVirtual().name("order-" + number).start(() -> {
                mill.roll(new Order(number, ThreadLocalRandom.current().nextInt(20)));
                delivered.increment();
            });
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Mill mill = new Mill();
        mill.start();
        Desk desk = new Desk(mill);
        for (int tick = 1; ; tick++) {
            Thread.sleep(10);
            for (int i = 0; i < 4; i++) {
                desk.accept();
            }
            if (tick % 100 == 0) {
                long waiting = desk.accepted.sum() - desk.delivered.sum();
                System.out.println("delivered " + desk.delivered + ", waiting " + waiting);
            }
        }
    }
}
