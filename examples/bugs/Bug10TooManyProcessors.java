import dev.heddle.Go;
import java.util.List;
import java.util.stream.LongStream;

/// Bug 10: more processors than the container has CPUs.
///
/// **Symptom.** A service with a quota of two CPUs on a big host has bad tail latency and is throttled. **Cause.**
/// GOMAXPROCS was set to the number of the host's CPUs. Sixteen threads share two CPUs. The operating system decides
/// which thread runs, knows nothing about goroutines, and stops all of them once the quota is used up. **Fix.** Do not
/// set GOMAXPROCS: since Go 1.25, and in Heddle, the default follows affinity and quota (docs/notes/go.md, D23;
/// `GOMAXPROCS=auto` never existed, D24). `./heddle procs` prints the default here and its reason.
///
/// `./heddle run examples/bugs/Bug10TooManyProcessors.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug10TooManyProcessors {
    private static final int TIMES = 8; // like the 16 CPUs of a host with a quota of 2

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        int allowed = Go.gomaxprocs(0);
        if (!fixed) {
            Go.gomaxprocs(TIMES * allowed);
        }
        for (int i = 0; i < TIMES * allowed; i++) {
            Go.go(Bug10TooManyProcessors::compute);
        }
        int seconds = Integer.getInteger("seconds", 3);
        Go.main(() -> {
            long[] late = tick(seconds);
            System.out.printf(
                    "%s: GOMAXPROCS=%d for %d CPUs; a tick of 10 ms comes %.1f ms late at the median, %.1f ms at the 90th percentile%n",
                    fixed ? "fixed" : "broken",
                    Go.gomaxprocs(0),
                    allowed,
                    late[late.length / 2] / 1e6,
                    late[late.length * 9 / 10] / 1e6);
        });
        System.exit(0);
    }

    /// How late each tick was, sorted.
    private static long[] tick(int seconds) throws InterruptedException {
        var late = LongStream.builder();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        for (long before = System.nanoTime(); before < end; before = System.nanoTime()) {
            Thread.sleep(10);
            late.add(System.nanoTime() - before - 10_000_000);
        }
        return late.build().sorted().toArray();
    }

    private static void compute() {
        for (long state = 1; state != 0; ) {
            for (int round = 0; round < 200_000; round++) {
                state = state * 6364136223846793005L + 1442695040888963407L;
            }
            Go.gosched();
        }
    }
}
