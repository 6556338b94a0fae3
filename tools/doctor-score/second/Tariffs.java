// problem: A lookup that finds no rate returns without unlocking its read stamp, so the next update waits for the write
//     lock forever, and all later lookups wait behind it.
// place: RateTable.rate
// place: RateTable.change
// remedy: Unlock the stamp in a finally block.

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.StampedLock;

/** Prices electricity by zone. The rates of the zones change all the time. */
public final class Tariffs {

    private static final int ZONES = 500;

    private final RateTable table = new RateTable();
    private final LongAdder bills = new LongAdder();
    private final LongAdder readings = new LongAdder();

    private Tariffs() {
        for (int zone = 0; zone < ZONES; zone++) {
            table.change(zone, 20 + zone % 13);
        }
    }

    void bill(int zone, int kilowattHours) throws InterruptedException {
        Thread.sleep(3); // reads the contract
        bills.add(Math.round(table.rate(zone) * kilowattHours));
    }

    void reading(int meter) throws InterruptedException {
        Thread.sleep(6); // stores the reading
        readings.add(meter % 3);
    }

    public static void main(String[] args) {
        var tariffs = new Tariffs();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 60; i++) {
                int meter = i;
                threads.submit(() -> {
                    while (true) {
                        // One zone in a hundred is new and has no rate yet.
                        int zone = ThreadLocalRandom.current().nextInt(ZONES + ZONES / 100);
                        tariffs.bill(zone, 250);
                        Thread.sleep(10);
                    }
                });
                threads.submit(() -> {
                    while (true) {
                        tariffs.reading(meter);
                        Thread.sleep(20);
                    }
                });
            }
            threads.submit(() -> {
                for (int change = 0; ; change++) {
                    Thread.sleep(40);
                    tariffs.table.change(change % ZONES, 20 + change % 17);
                }
            });
        }
    }
}

/** The rate of each zone. Lookups are frequent, and changes are rare. */
final class RateTable {

    private static final double STANDARD = 30;

    private final StampedLock lock = new StampedLock();
    private final Map<Integer, Double> rates = new HashMap<>();

    double rate(int zone) {
        long stamp = lock.readLock();
        Double rate = rates.get(zone);
        if (rate == null) {
            return STANDARD;
        }
        double withTax = rate * 1.19;
        lock.unlockRead(stamp);
        return withTax;
    }

    void change(int zone, double rate) {
        long stamp = lock.writeLock();
        try {
            rates.put(zone, rate);
        } finally {
            lock.unlockWrite(stamp);
        }
    }
}
