// healthy: Four times a second, a batch of 200 parcels meets a bounded queue of 64. The feeder waits in put for less
//     than a tenth of a second until the workers have caught up, and then the queue is empty again.

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Sorts the parcels of lorries that arrive. */
public final class Conveyor {

    private final BlockingQueue<Integer> belt = new ArrayBlockingQueue<>(64);
    private final LongAdder sorted = new LongAdder();

    private void unload(int lorry) throws InterruptedException {
        for (int parcel = 0; parcel < 200; parcel++) {
            belt.put(lorry * 200 + parcel);
        }
    }

    private void sort() throws InterruptedException {
        while (true) {
            Integer parcel = belt.poll(1, TimeUnit.SECONDS);
            if (parcel != null) {
                Thread.sleep(3); // the arm moves
                sorted.add(parcel % 2);
            }
        }
    }

    public static void main(String[] args) {
        var conveyor = new Conveyor();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 6; i++) {
                threads.submit(() -> {
                    conveyor.sort();
                    return null;
                });
            }
            threads.submit(() -> {
                for (int lorry = 0; ; lorry++) {
                    conveyor.unload(lorry);
                    Thread.sleep(150);
                }
            });
        }
    }
}
