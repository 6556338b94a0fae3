package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.ChildJvm;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Recordings that are switched on and off under load tell what can have happened: see [TraceStress] and [TraceCheck].
@Tag("stress")
class TraceStressTest {

    private static final long SECONDS = Long.getLong("heddle.stress.seconds", 5);

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS) // it has time limits of its own
    void everyRecordingIsPossible() throws InterruptedException {
        assertThat(TraceStress.run(SECONDS, System.nanoTime())).startsWith("recordings ");
    }

    /// The same in another JVM, where every step of the protocols may be delayed.
    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void everyRecordingIsPossibleInChaos() throws InterruptedException {
        String out = ChildJvm.of(TraceStress.class, Long.toString(SECONDS))
                .option("-Dheddle.randomize=true")
                .timeLimit((int) SECONDS + 300)
                .succeed();
        assertThat(out).contains("recordings ");
    }
}
