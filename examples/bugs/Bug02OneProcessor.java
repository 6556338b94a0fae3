import dev.heddle.Go;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Bug 2: GOMAXPROCS set to 1.
///
/// **Symptom.** A program that was fast on the developer's machine uses one core in production, and its requests are
/// slow. **Cause.** GOMAXPROCS was set "for predictable behaviour". With one P there is no thief: all runnable goroutines
/// wait for the same P, here behind one that computes for 5 ms at a time. **Fix.** Delete the line. The default is the
/// number of CPUs that this process may use, container limits included.
///
/// `./heddle run examples/bugs/Bug02OneProcessor.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug02OneProcessor {
    private static final int CLIENTS = 20;
    private static final long BATCH_NANOS = 5_000_000; // half a time slice, so that the batch is no hog
    private static final long REQUEST_NANOS = 20_000;

    private static final Queue<Long> times = new ConcurrentLinkedQueue<>();
    private static volatile long sink;

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        if (!fixed) {
            Go.gomaxprocs(1);
        }
        Go.go(() -> {
            while (true) {
                computeFor(BATCH_NANOS);
                Go.gosched();
            }
        });
        for (int i = 0; i < CLIENTS; i++) {
            Go.go(() -> {
                while (true) {
                    Thread.sleep(2);
                    long start = System.nanoTime();
                    Go.gosched(); // a new request queues up
                    computeFor(REQUEST_NANOS);
                    times.add(System.nanoTime() - start);
                }
            });
        }
        Thread.sleep(Integer.getInteger("seconds", 3) * 1_000L);
        long[] sorted = times.stream().mapToLong(it -> it).sorted().toArray();
        System.out.printf(
                "%s: %,d requests, %.2f ms at the median, on GOMAXPROCS=%d of %d CPUs%n",
                fixed ? "fixed" : "broken",
                sorted.length,
                sorted[sorted.length / 2] / 1e6,
                Go.gomaxprocs(0),
                Go.numCPU());
        System.exit(0);
    }

    private static void computeFor(long nanos) {
        long state = 1;
        for (long end = System.nanoTime() + nanos; System.nanoTime() < end; ) {
            for (int round = 0; round < 1_000; round++) {
                state = state * 6364136223846793005L + 1442695040888963407L;
            }
        }
        sink = state;
    }
}
