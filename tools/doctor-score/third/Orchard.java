// problem: A price that is older than 300 ms is fetched inside ConcurrentHashMap.compute, which holds the lock of
//     the key for the whole slow request. Nearly all pickers ask for apples, and wait for each other behind that key.
// place: Prices.quote
// place: Prices.fetch
// remedy: Keep a future for each key and wait for it outside compute, or refresh in the background and serve the
//     old price.
// named: threads pile up behind the map's compute, whose holder makes a slow request, at one of the places
// half: a contended lock or monitor without the map or the key; or the slow request alone
// false: a deadlock, a lost unlock, too many threads, a slow disk
// shows: apples are quoted 2 or 3 times in a second, with 40 pickers, and other fruit some hundred times
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

public class Orchard {

    record Price(int cents, long nanos) {
        boolean isOlderThan(long millis) {
            return System.nanoTime() - nanos > millis * 1_000_000;
        }
    }

    static final class Prices {
        private final ConcurrentHashMap<String, Price> prices = new ConcurrentHashMap<>();
        private final AtomicInteger requests = new AtomicInteger();

        int quote(String fruit) {
            return prices.compute(fruit, (key, old) -> old == null || old.isOlderThan(300) ? fetch(key) : old).cents();
        }

        private Price fetch(String fruit) {
            requests.incrementAndGet();
            long asked = System.nanoTime();
            try {
                Thread.sleep(fruit.equals("apple") ? 420 : 5); // the apple exchange is far away
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new Price(80 + ThreadLocalRandom.current().nextInt(90), asked);
        }
    }

    private static void pick(Prices prices, String fruit, AtomicInteger quoted) {
        try {
            while (true) {
                if (prices.quote(fruit) > 0) {
                    quoted.incrementAndGet();
                }
                Thread.sleep(30);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var prices = new Prices();
        var apples = new AtomicInteger();
        var others = new AtomicInteger();
        for (int i = 0; i < 44; i++) {
            boolean picksApples = i % 11 != 0;
            String fruit = picksApples ? "apple" : "plum-" + i;
            Thread.ofVirtual().name("picker-" + i).start(() -> pick(prices, fruit, picksApples ? apples : others));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf(
                    "apples quoted %d, other fruit %d, requests %d%n",
                    apples.get(), others.get(), prices.requests.get());
        }
    }
}
