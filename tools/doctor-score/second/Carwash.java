// problem: Each of thousands of customers asks every millisecond whether its car is ready, so the processors are busy
//     with timers and wake-ups that find nothing.
// place: Progress.await
// place: Carwash.wash
// remedy: Let the washer complete a future or count a latch down, and wait for that.

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** A chain of car washes: customers watch the progress on their phones. */
public final class Carwash {

    private final BlockingQueue<Progress> halls = new LinkedBlockingQueue<>(4_000);
    private final LongAdder washed = new LongAdder();

    void wash() throws InterruptedException {
        var progress = new Progress();
        halls.put(progress);
        progress.await();
        washed.increment();
    }

    private void serve() throws InterruptedException {
        while (true) {
            Progress progress = halls.take();
            for (int step = 0; step < 4; step++) {
                Thread.sleep(500); // brushes
                progress.advance();
            }
        }
    }

    public static void main(String[] args) {
        var chain = new Carwash();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2_000; i++) {
                threads.submit(() -> {
                    chain.serve();
                    return null;
                });
                threads.submit(() -> {
                    while (true) {
                        chain.wash();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(500)); // the next car
                    }
                });
            }
        }
    }
}

/** How far a car is. */
final class Progress {

    private volatile int steps;

    /** Called by the hall that washes the car. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // one hall, one writer
    void advance() {
        steps++;
    }

    void await() throws InterruptedException {
        while (steps < 4) {
            Thread.sleep(1);
        }
    }
}
