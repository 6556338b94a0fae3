package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// A spinning token that no machine holds is taken back: it would stop every wake-up.
class TokenAuditTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void aLostTokenStopsNoGoroutine() throws InterruptedException {
        try (Rig rig = Rig.procs(2).workMayBeForgotten()) {
            Kernel kernel = rig.kernel();
            AtomicBoolean childRan = new AtomicBoolean();
            AtomicBoolean mayStart = new AtomicBoolean();
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch done = rig.startMany(1, () -> {
                begun.countDown();
                while (!mayStart.get()) {
                    Thread.onSpinWait();
                }
                rig.go(() -> childRan.set(true));
                while (!childRan.get()) { // only another processor can run it
                    Thread.onSpinWait();
                }
            });
            rig.await(begun);
            await("every other machine is parked")
                    .atMost(PATIENCE)
                    .until(() -> rig.stats().idleProcs() == 1
                            && kernel.spin.spinning() == 0
                            && kernel.machineCounts.machines() - kernel.idle.idleMachines() == 1);
            kernel.spin.takeToken(new Machine(kernel, 999, "lost")); // a machine that never lived
            mayStart.set(true);
            rig.await(done);
            await("no token is left").atMost(PATIENCE).until(() -> kernel.spin.spinning() == 0);
            assertThat(kernel.counters.reclaimedTokens.get()).isOne();
        }
    }

    /// Because of the token, work may wait that no machine was woken for. The test takes the monitor's place.
    @Test
    void aMachineSearchesInPlaceOfALostToken() {
        Kernel kernel = DrivenMachine.kernel(1);
        TokenAudit audit = new TokenAudit(kernel);
        kernel.spin.takeToken(new Machine(kernel, 999, "lost"));
        audit.check(0);
        audit.check(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(kernel.counters.reclaimedTokens.get()).isOne();
        assertThat(kernel.spin.spinning()).isZero();
        assertThat(kernel.spin.needSpinning())
                .as("the next machine that would go idle searches")
                .isOne();
        assertThat(kernel.idle.pendingProcessors()).as("a machine is started").isOne();
        DrivenMachine.end(kernel);
    }

    /// Tokens come and go a million times while the audit looks on.
    @Test
    void aTokenThatAMachineHoldsIsNeverTaken() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            long samples = kernel.monitor.samples();
            while (kernel.monitor.samples() < samples + 200) {
                rig.await(rig.goMany(100, () -> rig.start(Thread::yield)));
            }
            assertThat(kernel.counters.reclaimedTokens.get()).isZero();
        }
    }
}
