// healthy: A price list is valid for a second. The first of 100 buyers that finds it old computes it in a few
//     milliseconds on a small pool of its own, and the others wait in the same future for it, some 30 ms. A batch
//     hashes files in one platform thread with pauses. Every wait is short, and the CPU has room.
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

public class Windmill {

    record Prices(int[] cents, long computed) {
        boolean isOld() {
            return System.nanoTime() - computed > 1_000_000_000L;
        }
    }

    static final class PriceList {
        private final ExecutorService pool = Executors.newFixedThreadPool(1);
        private final AtomicReference<CompletableFuture<Prices>> current = new AtomicReference<>(compute());
        private final LongAdder computed = new LongAdder();

        Prices get() {
            CompletableFuture<Prices> known = current.get();
            if (known.isDone() && known.join().isOld()) {
                CompletableFuture<Prices> next = new CompletableFuture<>();
                if (current.compareAndSet(known, next)) {
                    computed.increment();
                    compute().thenAccept(next::complete);
                }
            }
            return current.get().join();
        }

        private CompletableFuture<Prices> compute() {
            return CompletableFuture.supplyAsync(
                    () -> {
                        int[] cents = ThreadLocalRandom.current()
                                .ints(100_000, 1, 10_000)
                                .toArray();
                        Arrays.sort(cents);
                        return new Prices(cents, System.nanoTime());
                    },
                    pool);
        }
    }

    record Buyer(PriceList list, LongAdder bought, AtomicLong longest) {
        void buy() {
            try {
                while (true) {
                    long start = System.nanoTime();
                    Prices prices = list.get();
                    longest.accumulateAndGet((System.nanoTime() - start) / 1_000_000, Math::max);
                    bought.add(prices.cents()[50_000] > 0 ? 1 : 0);
                    Thread.sleep(ThreadLocalRandom.current().nextInt(50, 150));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void hash(LongAdder hashed) {
        byte[] file = new byte[200_000];
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            while (true) {
                for (int i = 0; i < 10; i++) {
                    System.arraycopy(digest.digest(file), 0, file, i * 32, 32);
                    hashed.increment();
                }
                Thread.sleep(40);
            }
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        PriceList list = new PriceList();
        LongAdder bought = new LongAdder();
        LongAdder hashed = new LongAdder();
        AtomicLong longest = new AtomicLong();
        Thread.ofPlatform().daemon().name("batch").start(() -> hash(hashed));
        for (int i = 0; i < 100; i++) {
            Thread.ofVirtual().name("buyer-" + i).start(new Buyer(list, bought, longest)::buy);
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("bought " + bought.sumThenReset() + ", computed " + list.computed + ", hashed "
                    + hashed.sumThenReset() + ", longest wait " + longest.getAndSet(0) + " ms");
        }
    }
}
