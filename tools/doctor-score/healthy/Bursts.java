// healthy: Twice a second a burst of 2,000 virtual threads, each with a little computing, two short waits and a counter
//     behind a lock. Between the bursts nothing runs.

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/** Sends price changes to 2,000 subscribers as soon as they are known. */
public final class Bursts {

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, Integer> delivered = new HashMap<>();

    private void deliver(int subscriber, int change) throws InterruptedException {
        int text = 0;
        for (int i = 0; i < 2_000; i++) {
            text = text * 31 + subscriber + change * i;
        }
        Thread.sleep(5 + subscriber % 20); // connects
        lock.lock();
        try {
            delivered.merge(text & 0xff, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
        Thread.sleep(10 + subscriber % 30); // is acknowledged
    }

    public static void main(String[] args) throws Exception {
        var bursts = new Bursts();
        for (int change = 0; ; change++) {
            int number = change;
            try (var burst = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 2_000; i++) {
                    int subscriber = i;
                    burst.submit(() -> {
                        bursts.deliver(subscriber, number);
                        return null;
                    });
                }
            }
            Thread.sleep(400);
        }
    }
}
