package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/// The rows of "What blocks what" in HACKING.md, each as a test. Declared blocking is in [BlockingTest] and
/// [MonitorDutiesTest], undeclared blocking in [BlockingUndeclaredTest], computing in [HogTest].
class WhatBlocksWhatTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// Row 1: a goroutine that waits blocks neither machine nor processor.
    @Test
    void waitingGoroutinesBlockNeitherMachineNorProcessor() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            int each = 300;
            Chan<Integer> chan = Chan.make();
            ReentrantLock lock = new ReentrantLock();
            CountDownLatch open = new CountDownLatch(1);
            lock.lock();
            CountDownLatch receivers = rig.goMany(each, chan::receive);
            CountDownLatch lockers = rig.goMany(each, () -> {
                lock.lock();
                lock.unlock();
            });
            CountDownLatch waiters = rig.goMany(each, open::await);
            await("all of them wait")
                    .atMost(PATIENCE)
                    .until(() -> rig.stats().idleProcs() == 1 && rig.stats().live() == 3 * each);
            assertThat(rig.stats().threads()).as("machines for 900 waiters").isLessThan(10);
            rig.await(rig.goMany(100, Go::gosched));
            chan.close();
            lock.unlock();
            open.countDown();
            rig.await(receivers);
            rig.await(lockers);
            rig.await(waiters);
        }
    }

    /// Row 2: an idle machine has no processor.
    @Test
    void anIdleMachineHasNoProcessor() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            rig.await(rig.goMany(100, Go::gosched));
            await("all processors idle")
                    .atMost(PATIENCE)
                    .until(() -> rig.stats().idleProcs() == 2);
            for (Processor processor : rig.kernel().processors().all()) {
                assertThat(processor.machine).isNull();
            }
        }
    }

    /// Row 3: the processor of a machine that naps can be taken, and the machine finds that out when it wakes.
    @Test
    void theProcessorOfANapperCanBeTaken() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Machine napper = machineWithTheProcessor(rig.kernel());
            napper.enterNap();
            rig.join(Thread.ofPlatform().start(() -> rig.scheduler().setProcs(2)));
            assertThat(napper.exitNap()).as("still has it").isFalse();
            assertThat(napper.p).isNull();
            rig.await(rig.goMany(100, Go::gosched));
        }
    }

    /// Row 4: in the kernel, where kernel locks are waited for, a machine keeps its processor: others wait for
    /// both.
    @Test
    void theProcessorOfAMachineInTheKernelCannotBeTaken() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            Machine machine = machineWithTheProcessor(kernel);
            Thread setter = Thread.ofPlatform().start(() -> rig.scheduler().setProcs(2));
            // The thread that sets the number stops the world, or the starter, if the monitor saw the decision first.
            for (int poll = 0; poll < 3; poll++) {
                await("the stopper waits")
                        .atMost(PATIENCE)
                        .until(() -> kernel.isStopping()
                                && (setter.getState() == Thread.State.TIMED_WAITING
                                        || kernel.starter.getState() == Thread.State.TIMED_WAITING));
            }
            assertThat(Word.state(machine.word())).isEqualTo(Word.KERNEL);
            machine.exitKernel();
            rig.join(setter);
            assertThat(Word.state(machine.word())).isEqualTo(Word.LOST);
            rig.await(rig.goMany(100, Go::gosched));
        }
    }

    /// A machine in the kernel that owns the only processor. It is never started: the test is its thread.
    private static Machine machineWithTheProcessor(Kernel kernel) {
        Processor processor = kernel.machines.takeIdle(null);
        assertThat(processor).isNotNull();
        Machine machine = new Machine(kernel, 1_000, "of the test");
        machine.acquire(processor);
        return machine;
    }

    /// The last row: stopping the world waits for no thread in user code.
    @Test
    void stoppingTheWorldWaitsForNoUserCode() throws InterruptedException {
        Scheduler scheduler = Scheduler.builder().procs(2).build();
        try (Rig rig = Rig.of(scheduler)) {
            CountDownLatch hogs = rig.startHogs(2); // one on each processor, and nothing waits: they keep them
            CountDownLatch resized = new CountDownLatch(1);
            Thread resizer = Thread.ofPlatform().daemon().start(() -> {
                scheduler.setProcs(1);
                scheduler.setProcs(3);
                resized.countDown();
            });
            assertThat(resized.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(hogs.getCount()).as("hogs that compute on").isEqualTo(2);
            assertThat(scheduler.procs()).isEqualTo(3);
            resizer.join();
            rig.relax();
            rig.await(hogs);
        }
    }
}
