import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/// Bug 20: a buffer in a thread-local, now that each request has a thread of its own.
///
/// **Symptom.** After the move to virtual threads the heap is full. **Cause.** The thread-local was a pool in disguise:
/// one buffer for each of 200 workers. With a thread for each request it is one buffer for each request, kept until the
/// request ends, although it is used briefly. **Fix.** A pool that is one: as many buffers as are used at once.
/// (Often a plain local variable is even better.)
///
/// `./heddle run -Xmx512m examples/bugs/Bug20ThreadLocals.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug20ThreadLocals {
    private static final int REQUESTS = 1_000;
    private static final int BUFFERS = 20;
    private static final int SIZE = 300_000;

    private static final ThreadLocal<byte[]> buffer = ThreadLocal.withInitial(() -> new byte[SIZE]);
    private static final ArrayBlockingQueue<byte[]> pool = new ArrayBlockingQueue<>(BUFFERS);
    private static final LongAdder done = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        while (pool.remainingCapacity() > 0) {
            pool.add(fixed ? new byte[SIZE] : new byte[0]);
        }
        for (int i = 0; i < REQUESTS; i++) {
            Thread.startVirtualThread(() -> serve(fixed));
        }
        Thread.sleep(Integer.getInteger("seconds", 3) * 1_000L);
        System.gc();
        Runtime memory = Runtime.getRuntime();
        System.out.printf(
                "%s: %,d MB of heap in use by %,d connections, %,d requests done%n",
                fixed ? "fixed" : "broken",
                (memory.totalMemory() - memory.freeMemory()) >> 20,
                REQUESTS,
                done.sum());
        System.exit(0);
    }

    private static void serve(boolean fixed) {
        try {
            while (true) {
                if (fixed) {
                    byte[] own = pool.take();
                    format(own);
                    pool.put(own);
                } else {
                    format(buffer.get());
                }
                Thread.sleep(500); // the client thinks
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void format(byte[] into) {
        into[0]++;
        done.increment();
    }
}
