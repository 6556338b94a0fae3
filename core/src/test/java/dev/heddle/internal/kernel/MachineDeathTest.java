package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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
            kernel.machines.died(machine, new SchedulerBug("made up by a test"), null);
            rig.await(ran);
            await("no token is left").atMost(PATIENCE).until(() -> kernel.spin.spinning() == 0);
            assertThat(kernel.counters.reclaimedTokens.get()).isZero();
        }
    }

    @Test
    void theEntryInHandRuns() throws InterruptedException {
        try (Rig rig = Rig.procs(1).stacksMayEnd()) {
            Kernel kernel = rig.kernel();
            CountDownLatch ran = new CountDownLatch(1);
            kernel.counters.externalStarts.incrementAndGet();
            Machine machine = new Machine(kernel, 999, "dead");
            kernel.machines.died(machine, new SchedulerBug("made up by a test"), new TestGoroutine(ran::countDown));
            rig.await(ran);
        }
    }

    /// A machine may fail between taking due timers from a heap and firing them.
    @Test
    void timersThatWereTakenAreFired() {
        Kernel kernel = DrivenMachine.kernel(1);
        DrivenMachine driven = new DrivenMachine(kernel);
        AtomicInteger fired = new AtomicInteger();
        kernel.schedule(fired::incrementAndGet, 0);
        kernel.schedule(fired::incrementAndGet, 0);
        DueTimers dying = new DueTimers(driven.machine, kernel);
        assertThat(dying.take(driven.processor, kernel.now())).isEqualTo(2);
        DueTimers next = new DueTimers(driven.machine, kernel);
        assertThat(next.run(driven.processor)).as("nothing is left").isFalse();
        dying.giveBack();
        assertThat(next.run(driven.processor)).isTrue();
        assertThat(fired).hasValue(2);
        DrivenMachine.end(kernel);
    }

    /// On a machine that the test drives; no other one can be made, so that the processor waits for one.
    @Test
    void processorNapAndRoleAreGivenBackAndTheBugIsReported() throws InterruptedException {
        Kernel kernel = DrivenMachine.kernel(1);
        DrivenMachine dying = new DrivenMachine(kernel).nap();
        KernelTimer far = kernel.schedule(() -> {}, TimeUnit.HOURS.toNanos(1));
        Thread carrier = Thread.ofPlatform().daemon().start(() -> {
            boolean _ = kernel.sleeper.sleep(dying.machine);
        });
        await("it sleeps for the timer").atMost(PATIENCE).until(kernel.sleeper::isTaken);
        try (ErrorOutput printed = new ErrorOutput()) {
            kernel.machines.died(dying.machine, new SchedulerBug("made up by a test"), null);
            await("the report").atMost(PATIENCE).until(() -> printed.count("made up by a test") == 1);
        }
        assertThat(kernel.sleeper.isTaken()).isFalse();
        assertThat(dying.isNapOver()).isTrue();
        assertThat(dying.processor.status).as("handed off").isEqualTo(Processor.Status.PENDING);
        assertThat(kernel.spin.spinning()).isZero();
        LockSupport.unpark(carrier);
        far.cancel();
        DrivenMachine.end(kernel);
    }

    /// Its processor was taken during the nap, so that no hand-off ends the nap.
    @Test
    void theNapOfAMachineWithoutProcessorIsWithdrawn() {
        Kernel kernel = DrivenMachine.kernel(1);
        Machine machine = new Machine(kernel, 100, "dead");
        assertThat(kernel.spin.announceNap(machine)).isTrue();
        kernel.machines.died(machine, new SchedulerBug("made up by a test"), null);
        assertThat(kernel.spin.announceNap(machine)).as("over").isTrue();
        DrivenMachine.end(kernel);
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
