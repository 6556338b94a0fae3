package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.queue.RunBatch;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// The safety net finds work that no machine searches for, and reports nothing else as such.
class SafetyNetTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Forgotten work: an entry in the global queue, an idle processor, and no wake-up.
    @Test
    void findsWorkWhoseWakeUpWasLost() throws InterruptedException {
        try (Rig rig = Rig.procs(2).workMayBeForgotten()) {
            Kernel kernel = keepMonitorAwake(rig);
            CountDownLatch ran = new CountDownLatch(1);
            lockAndPut(kernel, new TestGoroutine(ran::countDown));
            kernel.counters.externalStarts.incrementAndGet();
            kernel.lock.held = 0;
            rig.await(ran);
            assertThat(rig.stats().safetyNet()).isOne();
        }
    }

    /// A caller that the operating system stops between putting work into the global queue and taking an idle
    /// processor for it has forgotten nothing. Servers under load showed such callers as lost wake-ups.
    @Test
    void aCallerInTheMiddleOfASubmissionIsNoLostWakeUp() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = keepMonitorAwake(rig);
            CountDownLatch ran = new CountDownLatch(1);
            lockAndPut(kernel, new TestGoroutine(ran::countDown));
            kernel.counters.externalStarts.incrementAndGet();
            long until = kernel.now() + 200_000_000;
            long samples = kernel.monitor.samples();
            await("samples during the submission")
                    .atMost(PATIENCE)
                    .until(() -> kernel.monitor.samples() > samples + 5 && kernel.now() > until);
            assertThat(rig.stats().safetyNet()).isZero();
            kernel.lock.held = 0;
            kernel.machines.startIdle();
            rig.await(ran);
        }
    }

    private static void lockAndPut(Kernel kernel, Goroutine goroutine) {
        kernel.lock.lock();
        assertThat(kernel.globalQueue.makeRoomLocked(new RunBatch())).isTrue();
        kernel.globalQueue.putLocked(goroutine);
    }

    /// One processor computes, so that the monitor does not sleep deeply; the other is idle.
    private static Kernel keepMonitorAwake(Rig rig) throws InterruptedException {
        rig.startHogs(1);
        Kernel kernel = rig.kernel();
        await("one idle processor")
                .atMost(PATIENCE)
                .until(() -> rig.stats().idleProcs() == 1 && rig.stats().spinning() == 0);
        return kernel;
    }
}
