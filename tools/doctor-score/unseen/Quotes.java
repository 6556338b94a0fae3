// problem: All time-outs and refreshes share a scheduler with one thread, and a report job occupies it for seconds,
//     so everything that waits for a timer is late.
// place: Quotes.writeReport
// place: Quotes.quote
// remedy: Let the scheduler only start the job in a virtual thread of its own, or give it more threads.

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Offers insurance quotes. An insurer that does not answer within 50 ms is left out. */
public final class Quotes {

    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("clock").factory());
    private final LongAdder quotes = new LongAdder();
    private volatile long refreshed;

    /** The insurer answers or does not; the clock ends the wait. */
    int quote(int customer) {
        var answer = new CompletableFuture<Integer>();
        clock.schedule(() -> answer.complete(customer % 90), 50, TimeUnit.MILLISECONDS);
        int price = answer.join();
        quotes.increment();
        return price;
    }

    private void refreshRates() {
        refreshed = System.nanoTime();
    }

    private void writeReport() {
        long total = 0;
        for (int page = 0; page < 300; page++) {
            total += quotes.sum();
            try {
                Thread.sleep(10); // a page goes to the report server
            } catch (InterruptedException e) {
                return;
            }
        }
        if (total < 0) {
            System.out.println("report of " + refreshed);
        }
    }

    public static void main(String[] args) throws Exception {
        var service = new Quotes();
        service.clock.scheduleWithFixedDelay(service::refreshRates, 0, 100, TimeUnit.MILLISECONDS);
        service.clock.scheduleWithFixedDelay(service::writeReport, 800, 200, TimeUnit.MILLISECONDS);
        try (var customers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 120; i++) {
                int customer = i;
                customers.submit(() -> {
                    while (true) {
                        service.quote(customer);
                        Thread.sleep(15);
                    }
                });
            }
        }
    }
}
