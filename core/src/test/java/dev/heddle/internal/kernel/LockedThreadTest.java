package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Jdk;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// [Go#lockOSThread]: the goroutine runs on its carrier only, and the carrier runs nothing else.
class LockedThreadTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aLockedThreadStaysOnItsCarrierWhateverItDoes(int procs) throws InterruptedException {
        try (Rig rig = Rig.procs(procs)) {
            CountDownLatch others = rig.startMany(50, () -> {
                for (int i = 0; i < 50; i++) {
                    Thread.yield();
                }
            });
            AtomicInteger strange = new AtomicInteger();
            rig.await(rig.goMany(5, () -> {
                Go.lockOSThread();
                Thread carrier = Jdk.currentCarrierThread();
                for (int i = 0; i < 100; i++) {
                    switch (i % 4) {
                        case 0 -> Thread.yield();
                        case 1 -> LockSupport.parkNanos(10_000);
                        case 2 -> Thread.sleep(1);
                        default -> Go.go(() -> {});
                    }
                    if (Jdk.currentCarrierThread() != carrier) {
                        strange.incrementAndGet();
                    }
                }
                Go.unlockOSThread();
            }));
            rig.await(others);
            assertThat(strange.get()).isZero();
        }
    }

    /// Go: TestLockOSThreadNesting.
    @Test
    void locksNest() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            rig.await(rig.goMany(1, () -> {
                Thread self = Thread.currentThread();
                Go.unlockOSThread(); // without a lock: nothing
                Go.lockOSThread();
                Go.lockOSThread();
                assertThat(rig.kernel().locked.isLocked(self)).isTrue();
                Go.unlockOSThread();
                assertThat(rig.kernel().locked.isLocked(self)).isTrue();
                Go.unlockOSThread();
                assertThat(rig.kernel().locked.isLocked(self)).isFalse();
                Go.unlockOSThread();
                Go.lockOSThread();
                assertThat(rig.kernel().locked.isLocked(self)).isTrue();
                Go.unlockOSThread();
                assertThat(rig.kernel().locked.isAny()).isFalse();
            }));
        }
    }

    /// Go: TestLockOSThreadExit. The carrier of a goroutine that ends locked is never used again.
    @Test
    void aGoroutineThatEndsLockedTakesItsCarrierWithIt() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            for (int round = 0; round < 20; round++) {
                AtomicReference<Thread> carrier = new AtomicReference<>();
                rig.await(rig.goMany(1, () -> {
                    Go.lockOSThread();
                    carrier.set(Jdk.currentCarrierThread());
                }));
                AtomicInteger reused = new AtomicInteger();
                rig.await(rig.goMany(20, () -> {
                    if (Jdk.currentCarrierThread() == carrier.get()
                            && !rig.kernel().locked.isAny()) {
                        reused.incrementAndGet();
                    }
                }));
                assertThat(reused.get()).isZero();
                await("end of " + carrier)
                        .atMost(PATIENCE)
                        .until(() -> !carrier.get().isAlive());
            }
        }
    }

    /// Go: TestLockOSThreadExit, the way out by an exception and by Goexit.
    @Test
    void anExceptionOrGoexitWhileLockedEndsTheCarrierToo() throws InterruptedException {
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Scheduler scheduler = Scheduler.builder()
                .procs(2)
                .uncaughtExceptionHandler((thread, failure) -> seen.set(failure))
                .build();
        try (Rig rig = Rig.of(scheduler)) {
            AtomicReference<Thread> carrier = new AtomicReference<>();
            for (boolean exit : new boolean[] {true, false}) {
                carrier.set(null);
                rig.go(() -> {
                    Go.lockOSThread();
                    carrier.set(Jdk.currentCarrierThread());
                    if (exit) {
                        Go.goexit();
                    }
                    throw new IllegalStateException("locked");
                });
                await("end of the carrier")
                        .atMost(PATIENCE)
                        .until(() -> carrier.get() != null && !carrier.get().isAlive());
            }
            assertThat(seen.get()).hasMessage("locked");
        }
    }

    /// Go: TestYieldLocked.
    @Test
    void aLockedThreadThatYieldsAndSleepsComesBack() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Chan<Integer> done = Chan.make();
            rig.go(() -> {
                Go.lockOSThread();
                for (int i = 0; i < 10; i++) {
                    Go.gosched();
                    Thread.sleep(1);
                }
                done.send(1);
                Go.unlockOSThread();
            });
            assertThat(done.receive()).isEqualTo(1);
        }
    }

    /// Go: TestYieldLockedProgress.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aLockedThreadThatPollsAndYieldsLetsOthersGoOn(int procs) throws InterruptedException {
        try (Rig rig = Rig.procs(procs)) {
            AtomicBoolean flag = new AtomicBoolean();
            CountDownLatch done = rig.goMany(1, () -> {
                Go.lockOSThread();
                while (!flag.get()) {
                    Go.gosched();
                }
            });
            rig.await(rig.goMany(20, Go::gosched));
            flag.set(true);
            rig.await(done);
        }
    }

    /// Go: TestBlockLocked. Each send wakes the main goroutine's partner, which is locked.
    @Test
    void aLockedThreadTalksThroughAChannel() throws InterruptedException {
        int count = 200;
        try (Rig rig = Rig.procs(2)) {
            Chan<Integer> values = Chan.make();
            AtomicInteger sum = new AtomicInteger();
            CountDownLatch done = rig.goMany(1, () -> {
                Go.lockOSThread();
                for (int i = 0; i < count; i++) {
                    values.send(i);
                }
                values.close();
                Go.unlockOSThread();
            });
            CountDownLatch received = rig.goMany(1, () -> {
                for (Integer value = values.receive(); value != null; value = values.receive()) {
                    sum.addAndGet(value);
                }
            });
            rig.await(done);
            rig.await(received);
            assertThat(sum.get()).isEqualTo(count * (count - 1) / 2);
        }
    }

    @Test
    void lockedThreadsLiveThroughChangesOfTheNumberOfProcessors() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger strange = new AtomicInteger();
            CountDownLatch done = rig.goMany(4, () -> {
                Go.lockOSThread();
                Thread carrier = Jdk.currentCarrierThread();
                while (!stop.get()) {
                    Go.gosched();
                    LockSupport.parkNanos(1_000);
                    if (Jdk.currentCarrierThread() != carrier) {
                        strange.incrementAndGet();
                    }
                }
            });
            for (int round = 0; round < 50; round++) {
                rig.scheduler().setProcs(1 + round % 5);
                rig.await(rig.goMany(5, Go::gosched));
            }
            stop.set(true);
            rig.await(done);
            assertThat(strange.get()).isZero();
        }
    }

    /// N5, N20: looking at the stack of a thread that yielded queues it once more; no copy may run elsewhere.
    @Test
    void lookingAtTheStackOfALockedThreadMovesItNowhere() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger strange = new AtomicInteger();
            Thread[] locked = new Thread[3];
            for (int i = 0; i < locked.length; i++) {
                locked[i] = rig.start(() -> {
                    Go.lockOSThread();
                    Thread carrier = Jdk.currentCarrierThread();
                    while (!stop.get()) {
                        Thread.yield();
                        if (Jdk.currentCarrierThread() != carrier) {
                            strange.incrementAndGet();
                        }
                    }
                    Go.unlockOSThread();
                });
            }
            for (int i = 0; i < 300; i++) {
                assertThat(locked[i % locked.length].getStackTrace()).isNotNull();
            }
            stop.set(true);
            for (Thread thread : locked) {
                rig.join(thread);
            }
            assertThat(strange.get()).isZero();
        }
    }

    /// A carrier whose thread hogged a CPU is demoted and ends with its turn, but not while a thread is locked to
    /// it: that thread could never run again. The test asks for that end itself, as the demoter does ([HogTest]
    /// has the rest).
    @Test
    void aLockedThreadThatHoggedACpuIsNotLost() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            AtomicReference<Thread> carrier = new AtomicReference<>();
            AtomicInteger strange = new AtomicInteger();
            CountDownLatch done = rig.goMany(1, () -> {
                Go.lockOSThread();
                Machine machine = (Machine) Jdk.currentCarrierThread();
                carrier.set(machine);
                machine.endSoon();
                for (int i = 0; i < 10; i++) {
                    Thread.yield();
                    Thread.sleep(1);
                    if (Jdk.currentCarrierThread() != machine) {
                        strange.incrementAndGet();
                    }
                }
                Go.unlockOSThread();
            });
            rig.await(rig.goMany(10, Go::gosched));
            rig.await(done);
            assertThat(strange).hasValue(0);
            await("the demoted carrier ends")
                    .atMost(PATIENCE)
                    .until(() -> !carrier.get().isAlive());
        }
    }

    @Test
    void onlyAThreadOfTheSchedulerCanBeLocked() {
        assertThatThrownBy(Go::lockOSThread)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("only a goroutine or virtual thread of the scheduler");
    }
}
