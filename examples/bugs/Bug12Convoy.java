import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/// Bug 12: one lock around the whole of each request.
///
/// **Symptom.** Requests take long, most CPUs are idle, and more threads make it worse. **Cause.** Each request computes
/// while it holds the one lock, so all move in single file: many wait at one place, and one goes on. **Fix.** Compute
/// first, and hold the lock for the update of the shared state only.
///
/// `./heddle run examples/bugs/Bug12Convoy.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug12Convoy {
    private static final int CLIENTS = 40;

    private static final ReentrantLock ledger = new ReentrantLock();
    private static final Queue<Long> waits = new ConcurrentLinkedQueue<>();
    private static long sum;

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        for (int i = 0; i < CLIENTS; i++) {
            Thread.startVirtualThread(() -> serve(fixed));
        }
        Thread.sleep(Integer.getInteger("seconds", 3) * 1_000L);
        long[] sorted = waits.stream().mapToLong(it -> it).sorted().toArray();
        System.out.printf(
                "%s: %,d bookings, which waited %.2f ms for the ledger at the median%n",
                fixed ? "fixed" : "broken", sorted.length, sorted[sorted.length / 2] / 1e6);
        System.exit(0);
    }

    private static void serve(boolean fixed) {
        try {
            while (true) {
                long interest = fixed ? interest() : 0;
                long start = System.nanoTime();
                ledger.lock();
                try {
                    waits.add(System.nanoTime() - start);
                    sum += fixed ? interest : interest();
                } finally {
                    ledger.unlock();
                }
                Thread.sleep(20);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Computes for 3 ms.
    private static long interest() {
        long rate = 1;
        for (long end = System.nanoTime() + 3_000_000; System.nanoTime() < end; ) {
            rate = rate * 31 + 7;
        }
        return rate;
    }
}
