package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.WaitGroup;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The behaviours that Go's own scheduler tests (runtime/proc_test.go, sema_test.go) check, each as a test of ours
/// with the name it has there.
class GoProcTest {

    /// How long the tests repeat in which goroutines wait for each other at full speed: how many rounds that makes
    /// depends on how many CPUs are free.
    private static final long PARALLEL_NANOS = 1_500_000_000L;

    @RegisterExtension
    final Schedulers schedulers = new Schedulers();

    /// Stopping the world from two sides, while goroutines come and go, never deadlocks. Go stops it for
    /// the garbage collector as well; here only a change of the number stops it, so the numbers really
    /// change.
    @Test
    void testStopTheWorldDeadlock() throws InterruptedException {
        int rounds = 300;
        Scheduler scheduler = schedulers.procs(4);
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch lastOne = new CountDownLatch(1);
        AtomicLong respawned = new AtomicLong();
        CountDownLatch done = new CountDownLatch(2);
        scheduler.go(() -> {
            for (int i = 0; i < rounds; i++) {
                Go.gomaxprocs(1 + i % 5);
            }
            done.countDown();
        });
        scheduler.go(() -> {
            for (int i = 0; i < rounds; i++) {
                Go.gomaxprocs(3);
                Go.gosched();
            }
            done.countDown();
        });
        scheduler.go(new Go.Body() {
            @Override
            public void run() {
                respawned.incrementAndGet();
                if (stop.get()) {
                    lastOne.countDown();
                } else {
                    Go.go(this);
                }
            }
        });
        Schedulers.await(done, scheduler);
        stop.set(true);
        Schedulers.await(lastOne, scheduler);
        assertThat(respawned.get()).isPositive();
    }

    /// A goroutine that polls and yields lets the goroutine run for which it waits.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void testYieldProgress(int procs) throws InterruptedException {
        Scheduler scheduler = schedulers.procs(procs);
        CountDownLatch done = new CountDownLatch(1);
        AtomicBoolean flag = new AtomicBoolean();
        scheduler.go(() -> {
            Go.go(() -> {
                while (!flag.get()) {
                    Go.gosched();
                }
                done.countDown();
            });
            for (int i = 0; i < 10; i++) {
                Go.gosched();
            }
            flag.set(true);
        });
        Schedulers.await(done, scheduler);
    }

    /// As many goroutines as processors really run at the same time: they wait for each other without ever
    /// yielding.
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void testGoroutineParallelism(int procs) throws InterruptedException {
        Scheduler scheduler = schedulers.procs(procs);
        for (long end = System.nanoTime() + PARALLEL_NANOS; System.nanoTime() < end; ) {
            AtomicInteger turn = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(procs);
            scheduler.go(() -> {
                for (int p = 0; p < procs; p++) {
                    int number = p;
                    Go.go(() -> {
                        lockStep(turn, procs, number);
                        done.countDown();
                    });
                }
            });
            Schedulers.await(done, scheduler);
        }
    }

    private static void lockStep(AtomicInteger turn, int procs, int number) {
        for (int i = 0; i < 3; i++) {
            int expected = procs * i + number;
            while (turn.get() != expected) {
                Thread.onSpinWait();
            }
            turn.set(expected + 1);
        }
    }

    /// The same with nested spawns, right after all processors were busy, so that machines are on their way
    /// to sleep when work appears. A wake-up that is lost leaves one of the group in a queue while the
    /// others spin for ever.
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void testGoroutineParallelism2(int procs) throws InterruptedException {
        Scheduler scheduler = schedulers.procs(procs);
        for (long end = System.nanoTime() + 2 * PARALLEL_NANOS; System.nanoTime() < end; ) {
            keepAllBusy(scheduler, procs);
            AtomicInteger turn = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(procs);
            for (int p = 0; p < procs / 2; p++) {
                int outer = p;
                scheduler.go(() -> {
                    for (int q = 0; q < 2; q++) {
                        int number = 2 * outer + q;
                        Go.go(() -> {
                            lockStep(turn, procs, number);
                            done.countDown();
                        });
                    }
                });
            }
            Schedulers.await(done, scheduler);
        }
    }

    /// Returns when `procs` goroutines have run at the same time.
    private static void keepAllBusy(Scheduler scheduler, int procs) throws InterruptedException {
        AtomicInteger arrived = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(1);
        for (int p = 0; p < procs; p++) {
            scheduler.go(() -> {
                if (arrived.incrementAndGet() == procs) {
                    all.countDown();
                }
                while (arrived.get() < procs) {
                    Thread.onSpinWait();
                }
            });
        }
        Schedulers.await(all, scheduler);
    }

    /// Two goroutines on one processor wait for each other at points where the scheduler may take over, but without
    /// ever giving up the processor by themselves: the end of the time slice does it.
    @Test
    void testPreemption() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(1);
        int rounds = 4;
        AtomicInteger turn = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(2);
        for (int g = 0; g < 2; g++) {
            int number = g;
            scheduler.go(() -> {
                for (int i = 0; i < rounds; i++) {
                    while (turn.get() != 2 * i + number) {
                        Go.go(() -> {});
                    }
                    turn.incrementAndGet();
                }
                done.countDown();
            });
        }
        Schedulers.await(done, scheduler);
    }

    @Test
    void testNumGoroutine() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(2);
        int others = 100;
        CountDownLatch parked = new CountDownLatch(others);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        AtomicLong alone = new AtomicLong();
        AtomicLong together = new AtomicLong();
        AtomicLong afterwards = new AtomicLong();
        scheduler.go(() -> {
            alone.set(Go.numGoroutine());
            WaitGroup group = new WaitGroup();
            group.add(others);
            for (int i = 0; i < others; i++) {
                Go.Body body = () -> {
                    parked.countDown();
                    release.await();
                    group.done();
                };
                if (i % 2 == 0) {
                    Go.go(body);
                } else {
                    scheduler
                            .threadFactory()
                            .newThread(() -> runUnchecked(body))
                            .start();
                }
            }
            parked.await();
            together.set(Go.numGoroutine());
            release.countDown();
            group.await();
            while (Go.numGoroutine() > 1) { // they are done before they have ended
                Go.gosched();
            }
            afterwards.set(Go.numGoroutine());
            done.countDown();
        });
        Schedulers.await(done, scheduler);
        assertThat(alone).hasValue(1);
        assertThat(together).hasValue(1 + others);
        assertThat(afterwards).hasValue(1);
    }

    private static void runUnchecked(Go.Body body) {
        try {
            body.run();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Two threads that pass a turn back and forth by park and unpark: the pair shares one time slice through
    /// runNext.
    private static final class Pair {
        private final Thread[] threads = new Thread[2];
        private volatile int turn;
        private volatile boolean stop;
        private final AtomicLong count = new AtomicLong();
        private final CountDownLatch ended = new CountDownLatch(2);

        void start(Scheduler scheduler) throws InterruptedException {
            CountDownLatch known = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                int me = i;
                scheduler.go(() -> {
                    threads[me] = Thread.currentThread();
                    known.countDown();
                    known.await();
                    while (!stop) {
                        while (turn != me && !stop) {
                            LockSupport.park(this);
                        }
                        count.incrementAndGet();
                        turn = 1 - me;
                        LockSupport.unpark(threads[1 - me]);
                    }
                    LockSupport.unpark(threads[1 - me]);
                    ended.countDown();
                });
            }
            known.await();
        }
    }

    /// Two pairs on one processor get their share each: a pair that always has its partner in runNext does not keep
    /// the processor for longer than a time slice.
    @Test
    void testPingPongHog() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(1);
        Pair one = new Pair();
        Pair other = new Pair();
        one.start(scheduler);
        other.start(scheduler);
        CountDownLatch time = new CountDownLatch(1);
        scheduler.go(() -> {
            Thread.sleep(1_000);
            time.countDown();
        });
        Schedulers.await(time, scheduler);
        one.stop = true;
        other.stop = true;
        Schedulers.await(one.ended, scheduler);
        Schedulers.await(other.ended, scheduler);
        long more = Math.max(one.count.get(), other.count.get());
        long less = Math.min(one.count.get(), other.count.get());
        assertThat(less).isPositive();
        assertThat((double) more / less)
                .as("shares of two equal pairs: %s and %s", one.count, other.count)
                .isLessThan(20);
    }

    /// Starts with far more processors than there are CPUs, and gets there at run time too.
    @Test
    void testBigGOMAXPROCS() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(1024);
        assertThat(scheduler.procs()).isEqualTo(1024);
        runMany(scheduler, 3_000);
        scheduler.setProcs(2);
        runMany(scheduler, 3_000);
        scheduler.setProcs(1024);
        runMany(scheduler, 3_000);
        assertThat(scheduler.stats().localQueues()).hasSize(1024);
    }

    private static void runMany(Scheduler scheduler, int count) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(count);
        scheduler.go(() -> {
            for (int i = 0; i < count; i++) {
                Go.go(() -> {
                    Go.gosched();
                    done.countDown();
                });
            }
        });
        Schedulers.await(done, scheduler);
    }

    /// The releaser of a semaphore makes a waiter runnable and then yields: the waiter runs first. Go hands its
    /// semaphore over inside the release; here the waiter is in runNext, and the yield does the rest.
    @Test
    void testSemaHandoff() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(1);
        int rounds = 10_000;
        AtomicInteger handedOver = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        scheduler.go(() -> {
            Semaphore semaphore = new Semaphore(0, true);
            AtomicInteger acquired = new AtomicInteger();
            Go.go(() -> {
                for (int i = 0; i < rounds; i++) {
                    semaphore.acquire();
                    acquired.incrementAndGet();
                }
                done.countDown();
            });
            for (int i = 0; i < rounds; i++) {
                while (!semaphore.hasQueuedThreads()) { // it may still run, without a processor
                    Go.gosched();
                }
                semaphore.release();
                Go.gosched();
                if (acquired.get() == i + 1) {
                    handedOver.incrementAndGet();
                }
            }
        });
        Schedulers.await(done, scheduler);
        assertThat(handedOver.get()).isGreaterThanOrEqualTo(rounds * 2 / 3);
    }
}
