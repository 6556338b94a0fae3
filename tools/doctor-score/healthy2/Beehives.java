// healthy: 20,000 virtual threads sleep most of the time. Each wakes up after 20 to 60 seconds, computes a little, and
//     sleeps again; at any moment a few of them run.

import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Weighs beehives. Each hive has a thread that measures now and then. */
public final class Beehives {

    private final LongAdder grams = new LongAdder();

    private void weigh(int hive) {
        int weight = 30_000;
        for (int i = 0; i < 500; i++) {
            weight += (hive * 31 + i) % 3 - 1;
        }
        grams.add(weight);
    }

    public static void main(String[] args) {
        var hives = new Beehives();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20_000; i++) {
                int hive = i;
                threads.submit(() -> {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(40_000)); // not all at once
                    while (true) {
                        hives.weigh(hive);
                        Thread.sleep(ThreadLocalRandom.current().nextInt(20_000, 60_000));
                    }
                });
            }
        }
    }
}
