package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.management.OperatingSystemMXBean;
import dev.heddle.internal.event.WaitReason;
import dev.heddle.internal.event.WaitRecord;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitGroupTest {
    @Test
    void awaitReturnsAtOnceWhenNothingIsCounted() throws InterruptedException {
        var group = new WaitGroup();
        group.await();
        assertThat(group.await(Duration.ZERO)).isTrue();
    }

    @Test
    void awaitReturnsOnlyAfterTheLastDone() throws InterruptedException {
        var group = new WaitGroup();
        group.add(3);
        var finished = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            Thread.startVirtualThread(() -> {
                finished.incrementAndGet();
                group.done();
            });
        }
        group.await();
        assertThat(finished).hasValue(3);
    }

    @Test
    void goCountsAGoroutineUntilItEndsInWhateverWay() throws InterruptedException {
        var ran = new AtomicInteger();
        var failed = new CountDownLatch(1);
        try (var scheduler = Scheduler.builder()
                .procs(1)
                .uncaughtExceptionHandler((_, _) -> failed.countDown())
                .build()) {
            var group = new WaitGroup();
            var inside = new WaitGroup();
            inside.add(1);
            scheduler.go(() -> {
                for (int i = 0; i < 100; i++) {
                    group.go(ran::incrementAndGet);
                }
                group.go(() -> {
                    throw new IllegalStateException("of the goroutine");
                });
                inside.done();
            });
            inside.await();
            group.await();
        }

        assertThat(ran).hasValue(100);
        failed.await();
    }

    @Test
    void oneZeroReleasesEveryWaiter() throws Exception {
        var group = new WaitGroup();
        group.add(1);
        var waiters = new ArrayList<Thread>();
        for (int i = 0; i < 20; i++) {
            waiters.add(startWaiter(i % 2 == 0, group, new CompletableFuture<>()));
        }
        group.done();
        for (Thread waiter : waiters) {
            waiter.join();
        }
    }

    @Test
    void aNegativeCounterIsAnError() {
        var group = new WaitGroup();
        assertThatThrownBy(group::done)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("sync: negative WaitGroup counter");
    }

    @Test
    void awaitWithTimeoutSaysWhetherTheCounterBecameZero() throws InterruptedException {
        var group = new WaitGroup();
        group.add(1);
        assertThat(group.await(Duration.ofMillis(1))).isFalse();
        assertThat(group.await(Duration.ofNanos(-1))).isFalse();
        group.done();
        assertThat(group.await(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
    }

    @Test
    void anInterruptedWaiterLeavesAndTheOthersStay() throws Exception {
        var group = new WaitGroup();
        group.add(1);
        var results = new ArrayList<CompletableFuture<String>>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 3; i++) {
            results.add(new CompletableFuture<>());
            threads.add(startWaiter(true, group, results.get(i)));
        }
        threads.get(1).interrupt();
        assertThat(results.get(1).get()).isEqualTo("interrupted");
        assertThat(results.get(0)).isNotDone();
        assertThat(results.get(2)).isNotDone();
        group.done();
        assertThat(List.of(results.get(0).get(), results.get(2).get())).containsOnly("released");
    }

    @Test
    void aPendingInterruptIsReportedAtEntry() {
        var group = new WaitGroup();
        Thread.currentThread().interrupt();
        assertThatThrownBy(group::await).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void canBeUsedAgainAfterAnAbandonedWait() throws Exception {
        var group = new WaitGroup();
        for (int round = 0; round < 1000; round++) {
            group.add(1);
            assertThat(group.await(Duration.ZERO)).isFalse();
            group.done();
        }
        group.add(1);
        var late = new CompletableFuture<String>();
        startWaiter(true, group, late);
        group.done();
        assertThat(late.get()).isEqualTo("released");
    }

    @Test
    void aParkedWaiterTellsItsReason() throws Exception {
        var group = new WaitGroup();
        group.add(1);
        Thread waiter = startWaiter(true, group, new CompletableFuture<>());
        assertThat(WaitRecord.of(waiter).waitReason()).isEqualTo(WaitReason.WAIT_GROUP_WAIT);
        assertThat(WaitRecord.of(waiter)).hasToString("sync.WaitGroup.Wait");
        group.done();
        waiter.join();
        assertThat(WaitRecord.of(waiter)).isNull();
    }

    @Test
    void aThousandWaitersThatGaveUpAreNotKept() throws Exception {
        var group = new WaitGroup();
        group.add(1);
        var gone = new CountDownLatch(1000);
        for (int i = 0; i < 1000; i++) {
            Thread.startVirtualThread(() -> {
                try {
                    assertThat(group.await(Duration.ofMillis(1))).isFalse();
                    gone.countDown();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        gone.await();
        assertThat(waitersOf(group).isEmpty()).isTrue();
    }

    /// Leaving costs about as much as coming. The oldest leave first: in a list that is walked from the
    /// youngest, that takes most steps, and costs a hundred times as much.
    @Test
    void leavingTakesNoLongerBesideManyOthers() throws Exception {
        int count = 48_000;
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var group = new WaitGroup();
        group.add(1);
        var come = new CountDownLatch(count);
        var gone = new CountDownLatch(count);
        var threads = new ArrayList<Thread>();
        try (var scheduler = Scheduler.builder().procs(2).build()) {
            long atFirst = system.getProcessCpuTime();
            for (int i = 0; i < count; i++) {
                Thread thread = scheduler.threadFactory().newThread(() -> {
                    come.countDown();
                    assertThatThrownBy(group::await).isInstanceOf(InterruptedException.class);
                    gone.countDown();
                });
                threads.add(thread);
                thread.start();
            }
            come.await();
            long coming = system.getProcessCpuTime() - atFirst;
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> threads.stream().allMatch(it -> it.getState() == Thread.State.WAITING));
            long before = system.getProcessCpuTime();
            threads.forEach(Thread::interrupt);
            gone.await();
            long leaving = system.getProcessCpuTime() - before;

            assertThat(leaving).isLessThan(15 * coming);
        }
        assertThat(waitersOf(group).isEmpty()).isTrue();
    }

    private static WaitList waitersOf(WaitGroup group) throws ReflectiveOperationException {
        var field = WaitGroup.class.getDeclaredField("waiters");
        field.setAccessible(true);
        return (WaitList) field.get(group);
    }

    private static Thread startWaiter(boolean virtual, WaitGroup group, CompletableFuture<String> result) {
        var builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        Thread thread = builder.start(() -> {
            try {
                group.await();
                result.complete("released");
            } catch (InterruptedException e) {
                result.complete("interrupted");
            }
        });
        await().until(() -> WaitRecord.of(thread) != null && thread.getState() == Thread.State.WAITING);
        return thread;
    }
}
