// problem: The only consumer of a bounded queue has died by an exception, so the queue is full and every producer
//     waits forever in put.
// place: Shipment.ship
// place: LabelPrinter.queue
// remedy: Catch and log exceptions inside the consumer's loop, restart it when it ends, and let producers wait with a
//     time limit.

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** Packs parcels and sends each to the label printer. */
public final class Shipment {

    record Parcel(long number, String zip) {}

    static final class LabelPrinter {
        private final BlockingQueue<Parcel> waiting = new ArrayBlockingQueue<>(20);
        private final LongAdder printed = new LongAdder();

        LabelPrinter() {
            Thread.ofVirtual().name("printer").start(this::printAll);
        }

        void queue(Parcel parcel) throws InterruptedException {
            waiting.put(parcel);
        }

        private void printAll() {
            try {
                while (true) {
                    Parcel parcel = waiting.take();
                    printed.add(Integer.parseInt(parcel.zip()));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final LabelPrinter printer = new LabelPrinter();

    void ship(long number) throws InterruptedException {
        String zip = number == 700 ? "D-80331" : Long.toString(10_000 + number % 80_000);
        Thread.sleep(8); // packs
        printer.queue(new Parcel(number, zip));
    }

    public static void main(String[] args) throws Exception {
        var shipment = new Shipment();
        try (var packers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 30; i++) {
                int packer = i;
                packers.submit(() -> {
                    for (long n = 0; ; n++) {
                        shipment.ship(n * 30 + packer);
                    }
                });
            }
        }
    }
}
