import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/// Bug 13: a thread waits for a latch and holds the lock that the others need to count it down.
///
/// **Symptom.** Requests never end, the CPUs are idle, and thread dumps show no deadlock: a latch has no owner. **Cause.**
/// The thread that fills the cache holds its lock while it waits until all parts are loaded. The loaders need the same
/// lock to store their part, and count down after that. **Fix.** Wait first, then lock.
///
/// `./heddle run examples/bugs/Bug13LatchDeadlock.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug13LatchDeadlock {
    private static final int PARTS = 3;
    private static final int REQUESTS = 50;

    private static final ReentrantLock lock = new ReentrantLock();
    private static final List<Integer> cache = new ArrayList<>();
    private static final LongAdder answered = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        var loaded = new CountDownLatch(PARTS);
        var locked = new CountDownLatch(fixed ? 0 : 1);
        Thread.startVirtualThread(() -> fill(loaded, locked, fixed));
        locked.await();
        for (int i = 0; i < PARTS; i++) {
            int part = i;
            Thread.startVirtualThread(() -> load(part, loaded));
        }
        for (int i = 0; i < REQUESTS; i++) {
            Thread.startVirtualThread(Bug13LatchDeadlock::answer);
        }
        Thread.sleep(Integer.getInteger("seconds", 3) * 1_000L);
        System.out.printf("%s: %d of %d requests answered%n", fixed ? "fixed" : "broken", answered.sum(), REQUESTS);
        System.exit(0);
    }

    private static void fill(CountDownLatch loaded, CountDownLatch locked, boolean fixed) {
        try {
            if (fixed) {
                loaded.await();
            }
            lock.lock();
            try {
                locked.countDown();
                loaded.await();
                cache.sort(null);
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void load(int part, CountDownLatch loaded) {
        lock.lock();
        try {
            cache.add(part);
        } finally {
            lock.unlock();
        }
        loaded.countDown();
    }

    private static void answer() {
        lock.lock();
        try {
            answered.add(cache.isEmpty() ? 0 : 1);
        } finally {
            lock.unlock();
        }
    }
}
