import static dev.heddle.Select.orElse;
import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.timeout;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Select;
import java.time.Duration;
import java.util.List;

/// Bug 8: a select with a default, in a loop.
///
/// **Symptom.** CPUs at 100 %, without useful work. **Cause.** A select that has a default never waits. Heddle makes
/// the loop yield at the end of its time slice, so others run; but the loop is runnable again at once. **Fix.** Remove
/// the default. For periodic work, add a timeout.
///
/// `./heddle run examples/bugs/Bug08SelectSpin.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug08SelectSpin {

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        Chan<Boolean> done = Chan.make();
        for (int i = 0; i < 2; i++) {
            Go.go(() -> {
                if (fixed) {
                    waitPatiently(done);
                } else {
                    spin(done);
                }
            });
        }
        long start = System.nanoTime();
        long cpuBefore = cpuMillis();
        Thread.sleep(Integer.getInteger("seconds", 3) * 1_000L);
        System.out.printf(
                "%s: %,d ms of CPU in %,d ms, to wait for one message%n",
                fixed ? "fixed" : "broken", cpuMillis() - cpuBefore, (System.nanoTime() - start) / 1_000_000);
        System.exit(0);
    }

    private static void spin(Chan<Boolean> done) throws InterruptedException {
        Select.Case stop = receive(done);
        Select.Case otherwise = orElse();
        while (select(stop, otherwise) != stop) {
            // nothing to do yet
        }
    }

    private static void waitPatiently(Chan<Boolean> done) throws InterruptedException {
        Select.Case stop = receive(done);
        Select.Case check = timeout(Duration.ofMillis(100));
        while (select(stop, check) != stop) {
            // periodic work, ten times a second
        }
    }

    private static long cpuMillis() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
    }
}
