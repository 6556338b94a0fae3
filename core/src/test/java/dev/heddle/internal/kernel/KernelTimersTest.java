package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.testing.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sleeps, timed parks and timed waits of the scheduler's threads: its own timers serve them all.
class KernelTimersTest {

    @RegisterExtension
    final Schedulers schedulers = new Schedulers();

    /// Never early. How late they are is a row of `heddle bench`.
    @Test
    void sleepsTakeTheirTime() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(2);
        long nanos = 5_000_000;
        int count = 99;
        long[] slept = new long[count];
        CountDownLatch done = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            int number = i;
            scheduler.go(() -> {
                long since = System.nanoTime();
                Thread.sleep(Duration.ofNanos(nanos));
                slept[number] = System.nanoTime() - since;
                done.countDown();
            });
        }
        Schedulers.await(done, scheduler);
        Arrays.sort(slept);
        assertThat(slept[0]).isGreaterThanOrEqualTo(nanos);
        assertThat(scheduler.stats().timersFired()).isGreaterThanOrEqualTo(count);
    }

    @Test
    void laterTimersFireLater() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            List<Integer> fired = new CopyOnWriteArrayList<>();
            List<KernelTimer> timers = new ArrayList<>();
            CountDownLatch done = new CountDownLatch(20);
            for (int i = 0; i < 20; i++) { // in no order; each knows when it is due, however long this loop takes
                int number = i;
                long millis = 20 + i * 7 % 20;
                timers.add(rig.kernel()
                        .schedule(
                                () -> {
                                    fired.add(number);
                                    done.countDown();
                                },
                                millis * 1_000_000));
            }
            rig.await(done);
            assertThat(fired)
                    .hasSize(20)
                    .isSortedAccordingTo(
                            Comparator.comparingLong(it -> timers.get(it).when()));
        }
    }

    /// A thread may wait for the command, and the timer is all that knows of it.
    @Test
    void aTimerWhoseCommandFindsNoMemoryFiresAgain() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            AtomicInteger attempts = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(1);
            rig.kernel()
                    .schedule(
                            () -> {
                                if (attempts.incrementAndGet() < 3) {
                                    throw new OutOfMemoryError("thrown by a test");
                                }
                                done.countDown();
                            },
                            0);
            rig.await(done);
            assertThat(attempts).hasValue(3);
            assertThat(rig.stats().repaired()).isEqualTo(2);
        }
    }

    @Test
    void aTimedWaitEndsByItsTimeoutOrByANotify() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(1);
        Object monitor = new Object();
        AtomicBoolean notified = new AtomicBoolean();
        AtomicLong timedOut = new AtomicLong();
        CountDownLatch done = new CountDownLatch(2);
        Thread waiter = scheduler.threadFactory().newThread(() -> {
            synchronized (monitor) {
                while (!notified.get()) {
                    waitOn(monitor, 3_600_000);
                }
            }
            done.countDown();
        });
        waiter.start();
        scheduler.go(() -> {
            Object nobodys = new Object();
            long since = System.nanoTime();
            synchronized (nobodys) {
                nobodys.wait(20);
            }
            timedOut.set(System.nanoTime() - since);
            done.countDown();
        });
        await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
        synchronized (monitor) {
            notified.set(true);
            monitor.notifyAll();
        }
        Schedulers.await(done, scheduler);
        assertThat(timedOut.get()).isGreaterThanOrEqualTo(20_000_000);
    }

    private static void waitOn(Object monitor, long millis) {
        try {
            monitor.wait(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The longest times there are do not overflow into the past.
    @Test
    void endlessSleepsEndOnlyWhenTheyAreWoken() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(2);
        AtomicBoolean woken = new AtomicBoolean();
        AtomicInteger early = new AtomicInteger();
        List<Thread> sleepers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            boolean parks = i % 2 == 0;
            sleepers.add(scheduler.threadFactory().newThread(() -> {
                if (parks) {
                    LockSupport.parkNanos(Long.MAX_VALUE);
                } else {
                    try {
                        Thread.sleep(Long.MAX_VALUE);
                    } catch (InterruptedException _) {
                        // the way it is woken
                    }
                }
                if (!woken.get()) {
                    early.incrementAndGet();
                }
            }));
        }
        sleepers.forEach(Thread::start);
        await().until(() -> sleepers.stream().allMatch(it -> it.getState() == Thread.State.TIMED_WAITING));
        CountDownLatch other = new CountDownLatch(1);
        scheduler.go(() -> {
            Thread.sleep(5); // an ordinary timer among them
            other.countDown();
        });
        Schedulers.await(other, scheduler);
        woken.set(true);
        for (int i = 0; i < sleepers.size(); i++) {
            if (i % 2 == 0) {
                LockSupport.unpark(sleepers.get(i));
            } else {
                sleepers.get(i).interrupt();
            }
        }
        for (Thread sleeper : sleepers) {
            sleeper.join();
        }
        assertThat(early).hasValue(0);
    }

    /// A processor whose goroutine computes cannot run its timers: another one does.
    @Test
    void timersOfABusyProcessorAreRunByAnother() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(2);
        for (int round = 0; round < 30; round++) {
            AtomicBoolean woke = new AtomicBoolean();
            AtomicBoolean tooLate = new AtomicBoolean();
            CountDownLatch done = new CountDownLatch(2);
            scheduler.go(() -> {
                Go.go(
                        () -> { // runs second, on the processor that has the timer
                            long deadline = System.nanoTime() + 20_000_000_000L;
                            while (!woke.get()) {
                                if (System.nanoTime() > deadline) {
                                    tooLate.set(true);
                                    break;
                                }
                                Thread.onSpinWait();
                            }
                            done.countDown();
                        });
                Go.go(
                        () -> { // runs first
                            Thread.sleep(2);
                            woke.set(true);
                            done.countDown();
                        });
            });
            Schedulers.await(done, scheduler);
            assertThat(tooLate).isFalse();
        }
    }

    /// The timers of processors that go away move to one that stays.
    @Test
    void timersSurviveAChangeOfTheNumberOfProcessors() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(8);
        int count = 400;
        CountDownLatch done = new CountDownLatch(count);
        AtomicInteger early = new AtomicInteger();
        for (int i = 0; i < count; i++) {
            long nanos = 20_000_000 + i * 1_000_000L;
            scheduler.go(() -> {
                long since = System.nanoTime();
                LockSupport.parkNanos(nanos);
                if (System.nanoTime() - since < nanos) {
                    early.incrementAndGet();
                }
                done.countDown();
            });
        }
        for (int i = 0; done.getCount() > 0 && i < 40; i++) {
            scheduler.setProcs(i % 2 == 0 ? 1 : 8);
            LockSupport.parkNanos(5_000_000); // so that some timers fire at each of the sizes
        }
        Schedulers.await(done, scheduler);
        assertThat(early).hasValue(0);
    }

    /// What is not needed any more does not pile up: read timeouts are cancelled by the million. The longest one is
    /// what `poll(Long.MAX_VALUE, NANOSECONDS)` asks for.
    @ParameterizedTest
    @ValueSource(longs = {3_600_000_000_000L, Long.MAX_VALUE})
    void cancelledTimersAreSwept(long timeoutNanos) throws InterruptedException {
        Scheduler scheduler = schedulers.procs(1);
        int rounds = 20_000;
        CountDownLatch done = new CountDownLatch(1);
        scheduler.go(() -> {
            Thread self = Thread.currentThread();
            for (int i = 0; i < rounds; i++) {
                Go.go(() -> LockSupport.unpark(self));
                LockSupport.parkNanos(timeoutNanos);
            }
            done.countDown();
        });
        Schedulers.await(done, scheduler);
        assertThat(scheduler.stats().timers()).isLessThan(rounds / 10);
    }

    /// A million threads sleep at the same time, in a JVM of their own with a bounded heap, and all of them wake.
    @Test
    void aMillionThreadsSleep() throws InterruptedException {
        String out = ChildJvm.of(MillionSleepers.class, "1000000")
                .option("-Xmx3g", "-XX:+UseSerialGC")
                .timeLimit(240)
                .succeed();
        assertThat(out).contains("woken 1000000");
    }

    /// Main of that JVM.
    static final class MillionSleepers {
        private MillionSleepers() {}

        public static void main(String[] args) throws InterruptedException {
            int count = Integer.parseInt(args[0]);
            AtomicInteger woken = new AtomicInteger();
            CountDownLatch asleep = new CountDownLatch(count);
            CountDownLatch done = new CountDownLatch(count);
            try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
                scheduler.go(() -> {
                    for (int i = 0; i < count; i++) {
                        Go.go(() -> {
                            asleep.countDown();
                            Thread.sleep(10_000); // longer than it takes to make them all
                            woken.incrementAndGet();
                            done.countDown();
                        });
                        if (i % 1_000 == 0) {
                            Go.gosched(); // they go to sleep as they come
                        }
                    }
                });
                asleep.await();
                System.out.println("timers " + scheduler.stats().timers());
                done.await();
                Health.check(scheduler.stats());
            }
            System.out.println("woken " + woken.get());
        }
    }
}
