package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.procs.ProcsSettings;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.queue.StealRule;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How processors and machines come together. The test drives the machines; no other one can be made, so that a
/// processor that needs one stays pending.
class MachinesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Kernel kernel = DrivenMachine.kernel(2);
    private final DrivenMachine driven = new DrivenMachine(kernel);

    @AfterEach
    void close() {
        DrivenMachine.end(kernel);
    }

    // ---- a processor that is handed off without work, while another one is idle

    private void assertHandOffStartsAMachine(boolean expected) {
        kernel.machines.releaseAndHandOff(driven.machine);
        assertThat(kernel.idle.pendingProcessors()).isEqualTo(expected ? 1 : 0);
        assertThat(kernel.idle.idleProcessors()).isEqualTo(expected ? 1 : 2);
    }

    @Test
    void withoutWorkItBecomesIdle() {
        assertHandOffStartsAMachine(false);
    }

    @Test
    void forItsTimerAMachineIsStartedIfNoneSleepsForIt() {
        driven.processor.timers.push(new KernelTimer(kernel, kernel.now() + TimeUnit.HOURS.toNanos(1), () -> {}));
        assertHandOffStartsAMachine(true);
    }

    /// SpinCoordinator, R4: announced while this processor was not idle.
    @Test
    void forANeedAMachineIsStarted() {
        kernel.spin.requestSpinner();
        assertHandOffStartsAMachine(true);
    }

    // ---- a machine that lost its processor in user code

    private void loseProcessor() {
        Machine machine = driven.machine;
        machine.exitKernel();
        assertThat(machine.take(machine.word())).isTrue();
        machine.enterKernel();
        assertThat(machine.p).isNull();
        driven.processor.machine = null;
    }

    @Test
    void itGivesItsTokenBackAndTakesAnIdleProcessor() {
        driven.spin();
        loseProcessor();
        assertThat(kernel.machines.acquireAfterLoss(driven.machine)).isTrue();
        assertThat(driven.machine.spinning).isFalse();
        assertThat(kernel.spin.spinning()).isZero();
        assertThat(kernel.spin.needSpinning())
                .as("another machine has to search")
                .isOne();
    }

    @Test
    void itQueuesWhatItKept() {
        loseProcessor();
        driven.machine.rescue.entries = new Object[] {new TestGoroutine(() -> {}), null};
        kernel.submitter.inject(new TestGoroutine(() -> {}), /* starts= */ false); // takes the idle processor
        assertThat(kernel.machines.acquireAfterLoss(driven.machine)).isTrue();
        assertThat(kernel.globalQueue.size()).isEqualTo(2);
    }

    /// It does not end: the next processor is granted to it.
    @Test
    void itParksIfNoProcessorIsIdle() throws InterruptedException {
        loseProcessor();
        DrivenMachine _ = new DrivenMachine(kernel); // the other one
        AtomicBoolean hasOne = new AtomicBoolean();
        Thread carrier =
                Thread.ofPlatform().daemon().start(() -> hasOne.set(kernel.machines.acquireAfterLoss(driven.machine)));
        await("parked").atMost(PATIENCE).until(() -> kernel.idle.idleMachines() == 1);
        kernel.machines.start(driven.processor);
        LockSupport.unpark(carrier);
        assertThat(carrier.join(PATIENCE)).isTrue();
        assertThat(hasOne.get()).isTrue();
        assertThat(driven.machine.p).isSameAs(driven.processor);
    }

    // ---- a machine that takes a processor itself

    @Test
    void theMonitorWatchesIt() {
        Kernel idle = DrivenMachine.kernel(1);
        idle.monitor.start();
        await("deep sleep").atMost(PATIENCE).until(idle.monitor::isDeep);
        assertThat(idle.machines.acquireIdle(new Machine(idle, 100, "woken"), null))
                .isTrue();
        await("the monitor watches").atMost(PATIENCE).until(() -> !idle.monitor.isDeep());
        DrivenMachine.end(idle);
    }

    // ---- a processor that waits for a machine

    @Test
    void aMachineInheritsTheTokenOfAPendingProcessor() {
        Processor pending = Objects.requireNonNull(kernel.machines.takeIdle(null));
        kernel.lock.lock();
        try {
            kernel.idle.putPending(pending, /* withToken= */ true);
        } finally {
            kernel.lock.held = 0;
        }
        Machine machine = new Machine(kernel, 100, "new");
        assertThat(kernel.machines.acquirePending(machine)).isTrue();
        assertThat(machine.spinning).isTrue();
        assertThat(machine.p).isSameAs(pending);
    }

    /// A napping machine takes it sooner than a machine that has yet to be made.
    @Test
    void aProcessorThatIsStartedEndsANap() {
        assertThat(kernel.spin.announceNap(driven.machine)).isTrue();
        kernel.machines.start(Objects.requireNonNull(kernel.machines.takeIdle(null)));
        assertThat(driven.isNapOver()).isTrue();
    }

    @Test
    void aProcessorThatIsStartedForForgottenWorkEndsANap() {
        kernel.lock.lock();
        assertThat(kernel.globalQueue.makeRoomLocked(new RunBatch())).isTrue();
        kernel.globalQueue.putLocked(new TestGoroutine(() -> {}));
        kernel.lock.held = 0;
        assertThat(kernel.spin.announceNap(driven.machine)).isTrue();
        kernel.machines.startForgottenWork();
        assertThat(kernel.idle.pendingProcessors()).isOne();
        assertThat(driven.isNapOver()).isTrue();
    }

    // ---- the end

    /// However long an idle machine is kept otherwise.
    @Test
    void parkedMachinesEndWithTheirScheduler() {
        ProcsWatcher one = new ProcsWatcher(_ -> null, ProcsSettings.NONE, 1, System.nanoTime());
        Kernel patient = Kernel.start(
                new KernelOptions("patient", one, null, 10, TimeUnit.HOURS.toNanos(1), StealRule.GO, null, null));
        patient.spawn(new TestGoroutine(() -> {}));
        await("a parked machine").atMost(PATIENCE).until(() -> patient.idle.idleMachines() == 1);
        patient.close();
        await("it ends").atMost(PATIENCE).until(() -> patient.machineCounts.machines() == 0);
    }
}
