// healthy: A rate limiter lets 100 carts pass in a second: a scheduled task gives back permits ten times in a second,
//     and 40 carts wait in the fair semaphore for some 300 ms each. That is the rate that was asked for; every cart
//     gets its turn.
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

public class Turnpike {

    static final class Gate {
        private static final int RATE = 10;

        private final Semaphore permits = new Semaphore(RATE, true);

        void refill() {
            permits.release(Math.max(0, RATE - permits.availablePermits()));
        }

        boolean pass() throws InterruptedException {
            return permits.tryAcquire(3, TimeUnit.SECONDS);
        }
    }

    record Cart(Gate gate, LongAdder passed, LongAdder refused, AtomicLong longest) {
        void drive() {
            try {
                while (true) {
                    long start = System.nanoTime();
                    (gate.pass() ? passed : refused).increment();
                    longest.accumulateAndGet((System.nanoTime() - start) / 1_000_000, Math::max);
                    Thread.sleep(ThreadLocalRandom.current().nextInt(50, 150));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Gate gate = new Gate();
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        clock.scheduleAtFixedRate(gate::refill, 100, 100, TimeUnit.MILLISECONDS);
        LongAdder passed = new LongAdder();
        LongAdder refused = new LongAdder();
        AtomicLong longest = new AtomicLong();
        for (int i = 0; i < 40; i++) {
            Thread.ofVirtual().name("cart-" + i).start(new Cart(gate, passed, refused, longest)::drive);
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("passed " + passed.sumThenReset() + ", refused " + refused + ", longest wait "
                    + longest.getAndSet(0) + " ms");
        }
    }
}
