import dev.heddle.Go;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Bug 2: GOMAXPROCS set to 1.
///
/// **Symptom.** A program that scaled on the developer's machine uses one core in production. **Cause.** GOMAXPROCS was
/// set "for predictable behaviour". With one P there is no thief: all runnable goroutines wait for the same P. **Fix.**
/// Delete the line. The default is the number of CPUs that this process may use, container limits included.
///
/// `./heddle run examples/bugs/Bug02OneProcessor.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug02OneProcessor {
    private static final int GOROUTINES = 16;
    private static final int ROUNDS = 100_000; // well below a millisecond, so that no goroutine is a hog

    private static final LongAdder items = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        if (!fixed) {
            Go.gomaxprocs(1);
        }
        long start = System.nanoTime();
        for (int i = 0; i < GOROUTINES; i++) {
            Go.go(Bug02OneProcessor::compute);
        }
        Thread.sleep(Integer.getInteger("seconds", 3) * 1_000L);
        System.out.printf(
                "%s: %,d items per second on GOMAXPROCS=%d of %d CPUs%n",
                fixed ? "fixed" : "broken",
                items.sum() * 1_000_000_000L / (System.nanoTime() - start),
                Go.gomaxprocs(0),
                Go.numCPU());
        System.exit(0);
    }

    private static void compute() {
        for (long state = 1; state != 0; ) {
            for (int round = 0; round < ROUNDS; round++) {
                state = state * 6364136223846793005L + 1442695040888963407L;
            }
            items.increment();
            Go.gosched();
        }
    }
}
