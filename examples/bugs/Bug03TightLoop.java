import dev.heddle.Go;
import dev.heddle.Scheduler;
import java.util.List;
import java.util.stream.LongStream;

/// Bug 3: loops that never reach a scheduling point.
///
/// **Symptom.** Short tasks are late, all at once, whenever a long computation runs. **Cause.** A loop without a
/// channel operation, a lock or a yield keeps its processor. Go interrupts it by a signal after 10 to 20 ms. A JVM
/// cannot interrupt a loop at any instruction, so Heddle takes the processor away from its thread. This costs another
/// thread, and the operating system then shares the cores among the threads. **Fix.** A yield every millisecond or so.
/// A select with a default does not yield (D15 in docs/notes/go.md).
///
/// `./heddle run examples/bugs/Bug03TightLoop.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug03TightLoop {
    private static final int ROUNDS_PER_YIELD = 100_000; // well below a millisecond, once compiled

    private static volatile long sink;

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        int seconds = Integer.getInteger("seconds", 3);
        Go.main(() -> {
            for (int i = 0; i < Go.gomaxprocs(0); i++) {
                Go.go(() -> {
                    while (true) {
                        compute(/* yields= */ fixed);
                    }
                });
            }
            long[] late = tick(seconds);
            System.out.printf(
                    "%s: a tick of 5 ms comes %.1f ms late at the median, %.1f ms at worst; %d processors taken from hogs%n",
                    fixed ? "fixed" : "broken",
                    late[late.length / 2] / 1e6,
                    late[late.length - 1] / 1e6,
                    Scheduler.current().stats().hogHandOffs());
        });
        System.exit(0);
    }

    private static void compute(boolean yields) throws InterruptedException {
        long state = 1;
        for (long round = 1; round < 3_000_000_000L; round++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            if (yields && round % ROUNDS_PER_YIELD == 0) {
                Go.gosched();
            }
        }
        sink = state;
        Thread.sleep(1);
    }

    /// How late each tick was, sorted.
    private static long[] tick(int seconds) throws InterruptedException {
        var late = LongStream.builder();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        for (long before = System.nanoTime(); before < end; before = System.nanoTime()) {
            Thread.sleep(5);
            late.add(System.nanoTime() - before - 5_000_000);
        }
        return late.build().sorted().toArray();
    }
}
