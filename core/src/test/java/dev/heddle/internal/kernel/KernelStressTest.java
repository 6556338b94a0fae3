package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.ChildJvm;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Everything at once, for long: see [KernelStress]. Twelve times `heddle.stress.seconds` together.
@Tag("stress")
class KernelStressTest {

    private static final long SECONDS = 4 * Long.getLong("heddle.stress.seconds", 3);

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS) // it has time limits of its own
    void countsInAreCountsOut() throws InterruptedException {
        assertThat(KernelStress.run(SECONDS, System.nanoTime())).contains("in = out");
    }

    /// The same in another JVM, where every step of the protocols may be delayed, and all orders that are
    /// not promised are shuffled.
    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void countsInAreCountsOutInChaos() throws InterruptedException {
        String out = ChildJvm.of(KernelStress.class, Long.toString(2 * SECONDS))
                .option("-Dheddle.randomize=true")
                .timeLimit((int) (2 * SECONDS + 300))
                .succeed();
        System.out.print(out);
        assertThat(out).contains("in = out");
    }
}
