// problem: Two bounded queues form a cycle: washers put into the queue of the inspectors, and inspectors put rejected
//     bottles back into the queue of the washers; both queues are full, and all workers wait in put.
// place: Bottling.wash
// place: Bottling.inspect
// place: Bottling.deliver
// remedy: Return rejected bottles through a queue of their own that is served first, or use offer and set the bottle
//     aside if the queue is full.

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** The control program of a bottling plant. */
public final class Bottling {

    record Bottle(long number, int washes) {}

    private final BlockingQueue<Bottle> dirty = new ArrayBlockingQueue<>(24);
    private final BlockingQueue<Bottle> clean = new ArrayBlockingQueue<>(24);
    private final LongAdder filled = new LongAdder();
    private final LongAdder readings = new LongAdder();

    Void deliver() throws InterruptedException {
        for (long number = 0; ; number++) {
            dirty.put(new Bottle(number, 0));
        }
    }

    Void wash() throws InterruptedException {
        while (true) {
            Bottle bottle = dirty.take();
            Thread.sleep(2); // water and soap
            clean.put(new Bottle(bottle.number(), bottle.washes() + 1));
        }
    }

    Void inspect() throws InterruptedException {
        while (true) {
            Bottle bottle = clean.take();
            Thread.sleep(3); // the camera
            if (ThreadLocalRandom.current().nextInt(100) < 35) {
                dirty.put(bottle);
            } else {
                filled.increment();
            }
        }
    }

    /** Watches the temperature, pressure and so on of the plant. */
    Void readSensor() throws InterruptedException {
        while (true) {
            Thread.sleep(12);
            readings.increment();
        }
    }

    private static void start(int count, Callable<Void> work, ExecutorService threads) {
        for (int i = 0; i < count; i++) {
            threads.submit(work);
        }
    }

    public static void main(String[] args) {
        var plant = new Bottling();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            start(60, plant::readSensor, threads);
            start(6, plant::inspect, threads);
            start(8, plant::wash, threads);
            start(10, plant::deliver, threads);
        }
    }
}
