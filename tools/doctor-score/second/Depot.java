// problem: All bookings form one chain of futures in which each stage waits for the one before; bookings arrive faster
//     than the chain works, so it grows without end and each booking is later than the last.
// place: Bookings.submit
// place: Bookings.book
// remedy: Use a chain for each shelf instead of one for all, write several bookings at once, or bound the chain.

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** A warehouse: scanners report each movement of goods, which are booked in their order. */
public final class Depot {

    private static final LongAdder scanned = new LongAdder();

    public static void main(String[] args) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var bookings = new Bookings();
            for (int i = 0; i < 30; i++) {
                int shelf = i;
                threads.submit(() -> {
                    while (true) {
                        Thread.sleep(25); // a label is scanned
                        bookings.submit(new byte[1_500], shelf);
                        scanned.increment();
                    }
                });
            }
        }
    }
}

/** Books movements one after the other, without a thread that waits for work. */
final class Bookings {

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final LongAdder booked = new LongAdder();
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    synchronized void submit(byte[] picture, int shelf) {
        last = last.thenRunAsync(() -> book(picture, shelf), threads);
    }

    private void book(byte[] picture, int shelf) {
        picture[0] = (byte) shelf;
        try {
            Thread.sleep(7); // the ledger of the warehouse
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        booked.increment();
    }
}
