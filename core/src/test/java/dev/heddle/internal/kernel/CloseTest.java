package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Jdk;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// A scheduler that is closed runs all that it accepted and accepts nothing more.
class CloseTest {

    private static final int PATIENCE_SECONDS = 60;

    private static Kernel kernelOf(Scheduler scheduler) {
        Thread thread = scheduler.threadFactory().newThread(() -> {});
        return ((KernelPool) Objects.requireNonNull(Jdk.poolOf(thread))).kernel();
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    /// The refusal comes from inside the kernel, which is left as after any other failure.
    @Test
    void aRefusedStartLeavesItsMachineAsItWas() throws InterruptedException {
        Scheduler scheduler = Scheduler.builder().procs(1).build();
        Kernel kernel = kernelOf(scheduler);
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        AtomicReference<Throwable> refusalOfThread = new AtomicReference<>();
        AtomicReference<String> machine = new AtomicReference<>();
        scheduler.go(() -> {
            running.countDown();
            closed.await();
            Jdk.pin();
            try {
                scheduler.go(() -> {});
            } catch (RejectedExecutionException refused) {
                refusal.set(refused);
            }
            try {
                scheduler.threadFactory().newThread(() -> {}).start();
            } catch (RejectedExecutionException refused) {
                refusalOfThread.set(refused);
            }
            Machine here = Objects.requireNonNull(kernel.entries.machineHere());
            machine.set(here.depth + " " + Word.state(here.word()) + " " + (here.word() == here.ownWord));
            Jdk.unpin();
        });
        await(running);
        kernel.close();
        long starts = kernel.counters.externalStarts.get();
        assertThatThrownBy(() -> scheduler.go(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(kernel.counters.externalStarts.get()).isEqualTo(starts);
        closed.countDown();

        assertThat(kernel.awaitEnd(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(refusal.get()).isInstanceOf(RejectedExecutionException.class);
        assertThat(refusalOfThread.get()).isInstanceOf(RejectedExecutionException.class);
        assertThat(machine.get()).isEqualTo("0 " + Word.USER + " true");
    }

    /// A timer's command may be about to start something, having asked before the scheduler was closed.
    @Test
    void doesNotEndWhileAMachineIsInTheKernel() throws InterruptedException {
        Scheduler scheduler = Scheduler.builder().procs(1).build();
        Kernel kernel = kernelOf(scheduler);
        CountDownLatch fired = new CountDownLatch(1);
        AtomicInteger goOn = new AtomicInteger();
        kernel.schedule(
                () -> {
                    fired.countDown();
                    while (goOn.get() == 0) {
                        Thread.onSpinWait();
                    }
                },
                0);
        await(fired);
        kernel.close();

        assertThat(kernel.live()).isZero();
        assertThat(kernel.mayEnd()).isFalse();
        goOn.set(1);
        assertThat(kernel.awaitEnd(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    /// A start that races with the close is either refused, or the started goroutine runs.
    @Test
    void everythingAcceptedRuns() throws InterruptedException {
        for (int round = 0; round < 100; round++) {
            Scheduler scheduler = Scheduler.builder().procs(2).build();
            Kernel kernel = kernelOf(scheduler);
            AtomicInteger accepted = new AtomicInteger();
            AtomicInteger ran = new AtomicInteger();
            Runnable starts = () -> {
                try {
                    while (true) {
                        scheduler.go(ran::incrementAndGet);
                        accepted.incrementAndGet();
                    }
                } catch (RejectedExecutionException _) {
                    // closed
                }
            };
            Thread first = Thread.ofPlatform().start(starts);
            Thread second = Thread.ofPlatform().start(starts);
            kernel.schedule(starts, 0);
            while (accepted.get() < 3) {
                Thread.onSpinWait();
            }
            kernel.close();
            first.join();
            second.join();
            assertThat(kernel.awaitEnd(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(ran.get()).isEqualTo(accepted.get());
        }
    }
}
