// problem: Idle collectors wait for data by calling poll and Thread.yield in a loop, which burns the processors
//     though there is almost nothing to do.
// place: Collector.next
// place: Collector.run
// remedy: Wait in a blocking call, for example take of a BlockingQueue, instead of polling.

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Collects readings of 40 sensors, each with a collector of its own, and sums them up. */
public final class SensorHub {

    record Reading(int sensor, double celsius) {}

    static final class Collector implements Runnable {
        private final Queue<Reading> arrived = new ConcurrentLinkedQueue<>();
        private final LongAdder total;

        Collector(LongAdder total) {
            this.total = total;
        }

        void offer(Reading reading) {
            arrived.add(reading);
        }

        @Override
        public void run() {
            while (true) {
                Reading reading = next();
                total.add(Math.round(reading.celsius() * 100));
            }
        }

        private Reading next() {
            for (Reading reading = arrived.poll(); ; reading = arrived.poll()) {
                if (reading != null) {
                    return reading;
                }
                Thread.yield();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        var total = new LongAdder();
        List<Collector> collectors = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            var collector = new Collector(total);
            collectors.add(collector);
            Thread.startVirtualThread(collector);
        }
        for (long n = 0; ; n++) {
            Thread.sleep(10);
            int sensor = (int) (n % 40);
            collectors.get(sensor).offer(new Reading(sensor, 18 + n % 7));
            if (n % 1_000 == 999) {
                System.out.println("sum " + total.sum());
            }
        }
    }
}
