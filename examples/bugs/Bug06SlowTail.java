import dev.heddle.Go;
import dev.heddle.Scheduler;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/// Bug 6: a slow tail that stealing is blamed for.
///
/// **Symptom.** Most requests take a millisecond, a few take a hundred. **Suspicion.** A thief took the request's
/// goroutine to a cold cache. **Cause.** Something else, as usual: a cold cache costs microseconds, and thieves leave
/// `runnext` alone while its owner runs. Here an occasional request flushes to a disk while it holds the lock that all
/// others need. **Fix.** Under the lock, take out the data to be flushed; flush it after the lock is released.
///
/// `./heddle run examples/bugs/Bug06SlowTail.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug06SlowTail {
    private static final int CLIENTS = 8;
    private static final int FLUSH_EVERY = 100; // requests
    private static final long FLUSH_MILLIS = 100;

    private static final ReentrantLock lock = new ReentrantLock();
    private static int requests;

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        Queue<Long> micros = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < CLIENTS; i++) {
            Go.go(() -> {
                while (true) {
                    Thread.sleep(4);
                    long start = System.nanoTime();
                    handle(fixed);
                    micros.add((System.nanoTime() - start) / 1_000);
                }
            });
        }
        Thread.sleep(Integer.getInteger("seconds", 3) * 1_000L);
        long[] sorted = micros.stream().mapToLong(it -> it).sorted().toArray();
        System.out.printf(
                "%s: %d requests, %.1f ms at the median, %.1f ms at the 98th percentile; %d steals%n",
                fixed ? "fixed" : "broken",
                sorted.length,
                sorted[sorted.length / 2] / 1e3,
                sorted[sorted.length * 98 / 100] / 1e3,
                Scheduler.current().stats().steals());
        System.exit(0);
    }

    private static void handle(boolean fixed) throws InterruptedException {
        boolean due;
        lock.lock();
        try {
            due = ++requests % FLUSH_EVERY == 0;
            if (due && !fixed) {
                flush();
            }
        } finally {
            lock.unlock();
        }
        if (due && fixed) {
            Go.go(Bug06SlowTail::flush); // the request need not wait for the flush
        }
    }

    private static void flush() throws InterruptedException {
        Thread.sleep(FLUSH_MILLIS);
    }
}
