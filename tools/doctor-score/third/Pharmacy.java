// problem: The heartbeat and the stocktaking share a scheduler with one thread. The stocktaking asks its suppliers
//     one after the other and blocks that thread for seconds, so that the heartbeat is late and the lease is lost.
// place: Stock.take
// place: Stock.ask
// remedy: Run the stocktaking in a thread of its own and keep the scheduler for short tasks, or give it two
//     threads.
// named: the one thread of the scheduler or timer is blocked by the stocktaking, so that other tasks are late; a
//     place
// half: the stocktaking is slow, or tasks are late, without the scheduler that both share
// false: a lock, a slow or overloaded machine, too many timers
// shows: lost grows, and the longest pause of the heartbeat is above 1,000 ms instead of 200 ms
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

public class Pharmacy {

    static final class Stock {
        private static final List<String> SUPPLIERS = List.of("aster", "borage", "clover", "dill", "elder", "fennel");
        private final AtomicInteger boxes = new AtomicInteger();

        void take() {
            int all = 0;
            for (String supplier : SUPPLIERS) {
                all += ask(supplier);
            }
            boxes.set(all);
        }

        private int ask(String supplier) {
            try {
                Thread.sleep(650); // an old protocol with many round trips
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return supplier.length() * 40;
        }
    }

    /// The right to be the leader: it is lost if no heartbeat renews it within a second.
    static final class Lease {
        private final AtomicLong renewed = new AtomicLong(System.nanoTime());
        private final AtomicLong longest = new AtomicLong();
        private final AtomicInteger lost = new AtomicInteger();

        void renew() {
            long now = System.nanoTime();
            long pause = (now - renewed.getAndSet(now)) / 1_000_000;
            longest.accumulateAndGet(pause, Math::max);
            if (pause > 1_000) {
                lost.incrementAndGet();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var stock = new Stock();
        var lease = new Lease();
        var prescriptions = new LongAdder();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task ->
                Thread.ofVirtual().name("pharmacy-timer").unstarted(task));
        timer.scheduleAtFixedRate(lease::renew, 0, 200, TimeUnit.MILLISECONDS);
        timer.scheduleWithFixedDelay(stock::take, 300, 400, TimeUnit.MILLISECONDS);
        for (int i = 0; i < 20; i++) {
            Thread.ofVirtual().name("desk-" + i).start(() -> {
                try {
                    while (true) {
                        Thread.sleep(30);
                        prescriptions.increment();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf(
                    "prescriptions %d, boxes %d, lease lost %d times, longest pause of the heartbeat %d ms%n",
                    prescriptions.sum(), stock.boxes.get(), lease.lost.get(), lease.longest.get());
        }
    }
}
