import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/// Bug 11: a connection is held while the request does something else.
///
/// **Symptom.** Requests wait for a connection, and the database is idle. **Cause.** Each request takes one of ten
/// connections, makes a query of 2 ms, and keeps the connection while it calls another service for 400 ms. Ten
/// connections are enough for 5,000 queries a second, but for 25 such requests. **Fix.** Hold the connection for the
/// query only: release it before the slow call.
///
/// `./heddle run examples/bugs/Bug11PoolExhausted.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug11PoolExhausted {
    private static final int CONNECTIONS = 10;
    private static final int CLIENTS = 60;
    private static final int QUERY_MILLIS = 2;
    private static final int CALL_MILLIS = 400;

    private static final Semaphore connections = new Semaphore(CONNECTIONS);
    private static final LongAdder done = new LongAdder();
    private static final LongAdder waitedMillis = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        for (int i = 0; i < CLIENTS; i++) {
            Thread.startVirtualThread(() -> serve(fixed));
        }
        Thread.sleep(Integer.getInteger("seconds", 3) * 1_000L);
        System.out.printf(
                "%s: %,d requests done, each waited %,d ms for a connection%n",
                fixed ? "fixed" : "broken", done.sum(), waitedMillis.sum() / Math.max(1, done.sum()));
        System.exit(0);
    }

    private static void serve(boolean fixed) {
        try {
            while (true) {
                request(fixed);
                done.increment();
                Thread.sleep(20); // the client thinks
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void request(boolean fixed) throws InterruptedException {
        long start = System.nanoTime();
        connections.acquire();
        try {
            waitedMillis.add((System.nanoTime() - start) / 1_000_000);
            query();
            if (!fixed) {
                callOtherService();
            }
        } finally {
            connections.release();
        }
        if (fixed) {
            callOtherService();
        }
    }

    private static void query() throws InterruptedException {
        Thread.sleep(QUERY_MILLIS);
    }

    private static void callOtherService() throws InterruptedException {
        Thread.sleep(CALL_MILLIS);
    }
}
