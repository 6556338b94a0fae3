package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Jdk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// The steps of [SpinCoordinator] and [Sleeper], one at a time, on a scheduler where nothing else happens. The models
/// in docs/model search their interleavings, and the stress tests try them.
class WakeProtocolTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    // ---- the submitter's side: S3 to S5

    /// S3: a machine that searches already will find the entry. A napping one is woken, unless the entry is a
    /// runNext.
    @Test
    void aSubmissionEndsANapUnlessItLeavesOnlyARunNext() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            Machine napper = new Machine(kernel, 1_000, "napper");
            Machine submitter = new Machine(kernel, 1_001, "submitter");
            kernel.spin.takeToken(napper);
            assertThat(kernel.spin.announceNap(napper)).isTrue();
            kernel.spin.wakeProcessor(submitter, /* onlyRunNext= */ true);
            assertThat(kernel.spin.announceNap(submitter)).as("the nap is over").isFalse();
            kernel.spin.wakeProcessor(submitter, /* onlyRunNext= */ false);
            assertThat(kernel.spin.announceNap(submitter)).as("the nap is over").isTrue();
            kernel.spin.withdrawNap(submitter);
            assertThat(kernel.spin.announceNap(napper)).as("withdrawn").isTrue();
            kernel.spin.withdrawNap(napper);
            kernel.spin.stopSpinning(napper);
            assertThat(kernel.spin.spinning()).isZero();
            assertThat(kernel.idle.idleProcessors()).as("nobody was started").isEqualTo(2);
        }
    }

    /// A submission from outside that finds no idle processor ends a nap: the napper is the only one who could
    /// look.
    @Test
    void aSubmissionFromOutsideEndsANap() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            Processor processor = kernel.machines.takeIdle(null);
            Machine napper = new Machine(kernel, 1_000, "napper");
            assertThat(kernel.spin.announceNap(napper)).isTrue();
            kernel.machines.startIdle();
            assertThat(kernel.spin.announceNap(napper)).as("the nap is over").isTrue();
            kernel.spin.withdrawNap(napper);
            putBack(kernel, processor);
        }
    }

    /// The same when a processor waits for a machine to be made: a napper comes sooner.
    @Test
    void aProcessorThatWaitsForAMachineEndsANap() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) { // a fresh scheduler: no machine has been made yet
            Kernel kernel = rig.kernel();
            Machine napper = new Machine(kernel, 1_000, "napper");
            assertThat(kernel.spin.announceNap(napper)).isTrue();
            kernel.machines.startIdle();
            assertThat(kernel.spin.announceNap(napper)).as("the nap is over").isTrue();
            kernel.spin.withdrawNap(napper);
        }
    }

    /// S4: no idle processor could be given to a searcher, so the next machine that would go idle searches
    /// instead.
    @Test
    void aSubmissionThatFindsNoIdleProcessorAsksForASpinner() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            Processor processor = kernel.machines.takeIdle(null);
            Machine submitter = new Machine(kernel, 1_000, "submitter");
            kernel.spin.wakeProcessor(submitter, /* onlyRunNext= */ false);
            assertThat(kernel.spin.needSpinning()).isOne();
            assertThat(kernel.spin.spinning()).isZero();
            kernel.spin.takeToken(submitter);
            assertThat(kernel.spin.needSpinning())
                    .as("somebody looks now, and looks at everything")
                    .isZero();
            kernel.spin.stopSpinning(submitter);
            putBack(kernel, processor);
        }
    }

    /// S5: the token is there, the idle processor is gone: both are given back, and a spinner asked for.
    @Test
    void aTokenWithoutAProcessorIsGivenBack() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            Processor processor = kernel.machines.takeIdle(null);
            Machine submitter = new Machine(kernel, 1_000, "submitter");
            kernel.spin.takeToken(submitter);
            kernel.spin.startSpinner(submitter);
            assertThat(kernel.spin.spinning()).isZero();
            assertThat(kernel.spin.needSpinning()).isOne();
            putBack(kernel, processor);
        }
    }

    /// S5 as a whole: what a computing goroutine starts is run by another machine, which its submission woke. The
    /// safety net would find it too, and fails the test.
    @Test
    void aSubmissionWakesAMachineForAnIdleProcessor() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            for (int round = 0; round < 20; round++) {
                await().atMost(PATIENCE).until(() -> rig.stats().idleProcs() == 2);
                AtomicBoolean ran = new AtomicBoolean();
                rig.await(rig.goMany(1, () -> {
                    Go.go(() -> ran.set(true));
                    while (!ran.get()) {
                        Thread.onSpinWait();
                    }
                }));
            }
        }
    }

    /// The same for a thread that becomes runnable.
    @Test
    void anUnparkWakesAMachineForAnIdleProcessor() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            for (int round = 0; round < 20; round++) {
                AtomicBoolean ran = new AtomicBoolean();
                Thread parked = rig.start(() -> {
                    LockSupport.park();
                    ran.set(true);
                });
                await().atMost(PATIENCE)
                        .until(() -> parked.getState() == Thread.State.WAITING
                                && rig.stats().idleProcs() == 2);
                rig.await(rig.goMany(1, () -> {
                    LockSupport.unpark(parked);
                    while (!ran.get()) {
                        Thread.onSpinWait();
                    }
                }));
                rig.join(parked);
            }
        }
    }

    /// resetspinning: the spinner that found work wakes the next one, so that a batch spreads by itself. Three
    /// goroutines are queued in one step and wait for each other, each on a processor of its own.
    @Test
    void aSpinnerThatFoundWorkWakesTheNext() throws InterruptedException {
        try (Rig rig = Rig.procs(4)) {
            for (int round = 0; round < 20; round++) {
                await().atMost(PATIENCE).until(() -> rig.stats().idleProcs() == 4);
                CountDownLatch met = new CountDownLatch(4);
                rig.await(rig.goMany(1, () -> {
                    for (int i = 0; i < 3; i++) {
                        Go.go(() -> meet(met));
                    }
                    meet(met);
                }));
            }
        }
    }

    private static void meet(CountDownLatch met) {
        met.countDown();
        while (met.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    // ---- R2 to R5: need

    /// R2, R4: the last to go idle answers the need. The work is only announced here, so that the spinner finds
    /// nothing, and the need is gone.
    @Test
    void aMachineThatGoesIdleAnswersTheNeed() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            CountDownLatch announced = new CountDownLatch(1);
            rig.await(rig.goMany(1, () -> {
                kernel.spin.requestSpinner();
                announced.countDown();
            }));
            rig.await(announced);
            await("the need is answered")
                    .atMost(PATIENCE)
                    .until(() -> kernel.spin.needSpinning() == 0 && rig.stats().idleProcs() == 1);
        }
    }

    /// A parked machine is granted a processor and a token, and the processor is taken before the machine wakes.
    /// There is no other processor: the machine gives the token back and asks for a spinner before it parks again.
    @Test
    void aTokenGrantedWithAProcessorThatIsLostIsGivenBack() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            rig.await(rig.goMany(1, () -> {}));
            await("a parked machine")
                    .atMost(PATIENCE)
                    .until(() -> kernel.idle.idleMachines() > 0 && kernel.idle.idleProcessors() == 1);
            Processor processor = kernel.machines.takeIdle(null);
            assertThat(processor).isNotNull();
            kernel.lock.lock();
            Machine parked = kernel.idle.takeMachine();
            kernel.spin.takeToken(parked);
            parked.grantLocked(processor, /* withToken= */ true);
            kernel.lock.held = 0;
            assertThat(parked.take(parked.word())).as("taken").isTrue();
            Jdk.unparkCarrier(parked);
            await("the token is given back").atMost(PATIENCE).until(() -> kernel.spin.spinning() == 0);
            await("a spinner is asked for").atMost(PATIENCE).until(() -> kernel.spin.needSpinning() == 1);
            processor.machine = null;
            putBack(kernel, processor);
        }
    }

    // ---- the sleeper

    /// The one machine that sleeps until the earliest timer is woken for an earlier one.
    @Test
    void anEarlierTimerWakesTheSleeper() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            Thread longSleep = rig.start(() -> LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1)));
            await("a machine sleeps for timers").atMost(PATIENCE).until(kernel.sleeper::isTaken);
            CountDownLatch fired = new CountDownLatch(1);
            kernel.schedule(fired::countDown, 1_000_000);
            assertThat(fired.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            LockSupport.unpark(longSleep);
            rig.join(longSleep);
        }
    }

    /// A timer for which no machine sleeps starts a machine: all are parked without a time limit, or not made
    /// yet.
    @Test
    void theFirstTimerIsNotForgotten() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            for (int round = 0; round < 5; round++) {
                CountDownLatch fired = new CountDownLatch(1);
                rig.kernel().schedule(fired::countDown, 1_000_000);
                assertThat(fired.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /// The same by a goroutine on its own processor, while all other machines are idle.
    @Test
    void aTimerOfABusyProcessorHasASleeper() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            for (int round = 0; round < 5; round++) {
                await().atMost(PATIENCE).until(() -> rig.stats().idleProcs() == 2);
                AtomicBoolean fired = new AtomicBoolean();
                rig.await(rig.goMany(1, () -> {
                    rig.kernel().schedule(() -> fired.set(true), 2_000_000);
                    while (!fired.get()) {
                        Thread.onSpinWait();
                    }
                }));
            }
        }
    }

    /// A timer of a processor whose machine spins, but is kept from running by the operating system. The
    /// sleeper is woken for it, gets a processor, and may not spin beside so many others: it used to run in
    /// circles, at full speed and with the scheduler lock in its hands, until the other machine came back.
    @Test
    void theSleeperFiresTheTimersOfASuspendedSpinner() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            DrivenMachine suspended = new DrivenMachine(kernel);
            kernel.allMachines.add(suspended.machine);
            kernel.spin.takeToken(suspended.machine);
            CountDownLatch fired = new CountDownLatch(1);
            suspended.processor.timers.push(new KernelTimer(kernel, kernel.now(), fired::countDown));
            kernel.machines.startIdle();
            assertThat(fired.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("fired")
                    .isTrue();
            kernel.spin.stopSpinning(suspended.machine);
            suspended.machine.hasEnded = true;
            suspended.machine.releaseLocked();
            putBack(kernel, suspended.processor);
        }
    }

    /// A timer that is left over keeps no thread alive.
    @Test
    void theSleeperEndsWithItsScheduler() throws InterruptedException {
        Scheduler scheduler = Scheduler.builder().procs(2).build();
        Kernel kernel = Rig.of(scheduler).kernel();
        List<KernelTimer> left = new ArrayList<>();
        left.add(kernel.schedule(() -> {}, TimeUnit.HOURS.toNanos(1)));
        await("a machine sleeps for timers").atMost(PATIENCE).until(kernel.sleeper::isTaken);
        scheduler.close();
        await("its threads end")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Schedulers.threadsOf(scheduler)).isEmpty());
        assertThat(left).hasSize(1);
    }

    /// No thread can be made for the processor: the machine that is about to sleep is the only one that can take it.
    @Test
    void theSleeperDoesNotWaitWhileAProcessorNeedsAMachine() throws InterruptedException {
        Kernel kernel = DrivenMachine.kernel(1);
        DrivenMachine driven = new DrivenMachine(kernel);
        KernelTimer timer = kernel.schedule(() -> {}, TimeUnit.HOURS.toNanos(1));
        kernel.lock.lock();
        try {
            kernel.idle.putPending(driven.machine.releaseLocked(), /* withToken= */ false);
        } finally {
            kernel.lock.held = 0;
        }
        Thread sleeper = Thread.ofPlatform().daemon().start(() -> {
            boolean _ = kernel.sleeper.sleep(driven.machine);
        });
        assertThat(sleeper.join(PATIENCE)).as("did not wait for the timer").isTrue();
        timer.cancel();
        DrivenMachine.end(kernel);
    }

    /// The thread that gave the processor out believed that another machine could be made. The starter finds out.
    @Test
    void atTheThreadLimitTheStarterWakesTheSleeper() throws InterruptedException {
        try (ErrorOutput printed = new ErrorOutput();
                Rig rig = Rig.of(
                        Scheduler.builder().name("limit").procs(1).maxThreads(1).build())) {
            Kernel kernel = rig.kernel();
            Thread waiting = rig.start(() -> LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1)));
            await("the only machine sleeps").atMost(PATIENCE).until(kernel.sleeper::isTaken);
            kernel.lock.lock();
            try {
                kernel.idle.putPending(kernel.idle.take(null), /* withToken= */ false);
            } finally {
                kernel.lock.held = 0;
            }
            kernel.starter.signal();
            await("the machine has taken the processor and made it idle again")
                    .atMost(PATIENCE)
                    .until(() -> kernel.idle.idleProcessors() == 1);
            await("one warning")
                    .atMost(PATIENCE)
                    .until(() -> printed.count("heddle: the limit of 1 threads is reached") == 1);
            LockSupport.unpark(waiting);
            rig.join(waiting);
        }
    }

    /// A thread whose slice is over moves its queue to the global one: a napper must notice, though the thread left
    /// nothing but a runNext behind.
    @Test
    void entriesThatMoveToTheGlobalQueueEndANap() {
        Kernel kernel = DrivenMachine.kernel(2);
        DrivenMachine driven = new DrivenMachine(kernel);
        DrivenMachine other = new DrivenMachine(kernel).nap();
        kernel.submitter.start(driven.machine, new TestGoroutine(() -> {})); // in runNext
        driven.processor.endSlice(driven.processor.schedTick);
        kernel.submitter.start(driven.machine, new TestGoroutine(() -> {}));
        assertThat(kernel.globalQueue.size()).isOne();
        assertThat(other.isNapOver()).isTrue();
        DrivenMachine.end(kernel);
    }

    private static void putBack(Kernel kernel, Processor processor) {
        kernel.lock.lock();
        kernel.idle.put(processor);
        kernel.lock.held = 0;
    }
}
