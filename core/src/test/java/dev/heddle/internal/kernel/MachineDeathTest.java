package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What a machine held when its loop failed goes on without it.
class MachineDeathTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void tokenAndEntriesAreGivenBack() throws InterruptedException {
        try (Rig rig = Rig.procs(2).stacksMayEnd()) {
            Kernel kernel = rig.kernel();
            CountDownLatch ran = new CountDownLatch(1);
            Machine machine = new Machine(kernel, 999, "dead");
            kernel.spin.takeToken(machine);
            kernel.counters.externalStarts.incrementAndGet();
            machine.rescue.entries = new Object[] {new TestGoroutine(ran::countDown), null};
            kernel.machines.died(machine, new SchedulerBug("made up by a test"));
            rig.await(ran);
            await("no token is left").atMost(PATIENCE).until(() -> kernel.spin.spinning() == 0);
            assertThat(kernel.counters.reclaimedTokens.get()).isZero();
        }
    }

    @Test
    void theSleepersRoleIsGivenBack() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            KernelTimer far = kernel.schedule(() -> {}, TimeUnit.HOURS.toNanos(1));
            await("a machine sleeps for the timer").atMost(PATIENCE).until(kernel.sleeper::isTaken);
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread instanceof Machine machine && machine.kernel == kernel) {
                    kernel.sleeper.resign(machine);
                }
            }
            assertThat(kernel.sleeper.isTaken()).isFalse();
            far.cancel();
        }
    }
}
