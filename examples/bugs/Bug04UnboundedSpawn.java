import dev.heddle.Chan;
import dev.heddle.Go;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/// Bug 4: a goroutine for every event, however many there are already.
///
/// **Symptom.** The number of goroutines grows without end, and memory with it. **Cause.** Events arrive faster than
/// they are processed: here 4,000 a second, with a database that manages 2,000. (10,000 events a second of 100 ms each
/// would be no problem by themselves: a thousand goroutines at any time, not a million; docs/notes/go.md, D31.) Blocked
/// goroutines are in no run queue, so the queues look harmless (D32). The number of goroutines shows the problem.
/// **Fix.** A fixed number of workers behind a bounded channel: the producer waits, and its own source notices.
///
/// `./heddle run examples/bugs/Bug04UnboundedSpawn.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug04UnboundedSpawn {
    private static final int EVENTS_PER_SECOND = 4_000;
    private static final int CONNECTIONS = 10;
    private static final long QUERY_MILLIS = 5;
    private static final int EVENT_BYTES = 10_000;

    private static final Semaphore database = new Semaphore(CONNECTIONS);
    private static final LongAdder done = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        Chan<byte[]> work = Chan.make(100);
        if (fixed) {
            for (int i = 0; i < CONNECTIONS; i++) {
                Go.go(() -> {
                    for (byte[] event : work) {
                        process(event);
                    }
                });
            }
        }
        long end = System.nanoTime() + Integer.getInteger("seconds", 3) * 1_000_000_000L;
        int taken = 0;
        while (System.nanoTime() < end) {
            Thread.sleep(10);
            for (int i = 0; i < EVENTS_PER_SECOND / 100 && System.nanoTime() < end; i++) {
                byte[] event = new byte[EVENT_BYTES];
                if (fixed) {
                    work.send(event); // backpressure
                } else {
                    Go.go(() -> process(event));
                }
                taken++;
            }
        }
        Runtime memory = Runtime.getRuntime();
        System.out.printf(
                "%s: %,d events taken, %,d done; %,d goroutines at the end, %d MB in use%n",
                fixed ? "fixed" : "broken",
                taken,
                done.sum(),
                Go.numGoroutine(),
                (memory.totalMemory() - memory.freeMemory()) >> 20);
        System.exit(0);
    }

    private static void process(byte[] event) throws InterruptedException {
        database.acquire();
        try {
            Thread.sleep(QUERY_MILLIS);
            done.add(event.length / EVENT_BYTES);
        } finally {
            database.release();
        }
    }
}
