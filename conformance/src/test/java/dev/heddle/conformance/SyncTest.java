package dev.heddle.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Once;
import dev.heddle.Scheduler;
import dev.heddle.WaitGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

class SyncTest {
    private static final String FILE = "sync";
    private static final String JDK = "the JDK's own, on goroutines: Heddle has no mutex of its own";

    @GoTest(file = FILE, value = "TestMutex", adapted = JDK)
    void testMutex() throws Exception {
        var mutex = new ReentrantLock();
        mutex.lock();
        assertThat(Chan.make(0).trySend("x")).isFalse(); // a scheduling point under the lock
        Chan<Boolean> tried = Chan.make();
        Go.go(() -> tried.send(mutex.tryLock()));
        assertThat(tried.receive()).isFalse();
        mutex.unlock();
        var counter = new int[1];
        var ended = new WaitGroup();
        for (int i = 0; i < 10; i++) {
            ended.go(() -> {
                for (int k = 0; k < 1000; k++) {
                    if (k % 3 == 0) {
                        if (mutex.tryLock()) {
                            mutex.unlock();
                        }
                        continue;
                    }
                    mutex.lock();
                    try {
                        counter[0]++;
                    } finally {
                        mutex.unlock();
                    }
                }
            });
        }
        ended.await();
        assertThat(counter[0]).isEqualTo(10 * 666);
    }

    @GoTest(file = FILE, value = "TestSemaphore", adapted = JDK)
    void testSemaphore() throws Exception {
        var semaphore = new Semaphore(1);
        var inside = new AtomicInteger();
        var ended = new WaitGroup();
        for (int i = 0; i < 10; i++) {
            ended.go(() -> {
                for (int k = 0; k < 1000; k++) {
                    semaphore.acquire();
                    assertThat(inside.incrementAndGet()).isOne();
                    inside.decrementAndGet();
                    semaphore.release();
                }
            });
        }
        ended.await();
    }

    @GoTest(
            file = FILE,
            value = "TestMutexMisuse",
            adapted = JDK + "; its exceptions can be caught, Go's fatal errors cannot")
    void testMutexMisuse() {
        assertThatThrownBy(new ReentrantLock()::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(new ReentrantReadWriteLock().readLock()::unlock)
                .isInstanceOf(IllegalMonitorStateException.class);
    }

    /// A goroutine that holds the lock for a long time does not starve one that needs it briefly.
    @GoTest(file = FILE, value = "TestMutexFairness", adapted = JDK + ", made fair")
    void testMutexFairness() throws Exception {
        var mutex = new ReentrantLock(/* fair= */ true);
        var stop = new AtomicBoolean();
        var hog = new WaitGroup();
        hog.go(() -> {
            while (!stop.get()) {
                mutex.lock();
                Thread.sleep(Duration.ofNanos(100_000));
                mutex.unlock();
            }
        });
        for (int i = 0; i < 10; i++) {
            Thread.sleep(Duration.ofNanos(100_000));
            mutex.lock();
            mutex.unlock();
        }
        stop.set(true);
        hog.await();
    }

    @GoTest(file = FILE, value = "TestRWMutex", adapted = JDK)
    void testRWMutex() throws Exception {
        var lock = new ReentrantReadWriteLock();
        var activity = new AtomicInteger(); // readers count 1, writers 10,000
        var ended = new WaitGroup();
        for (int i = 0; i < 10; i++) {
            boolean writes = i % 5 == 0;
            ended.go(() -> {
                for (int k = 0; k < 300; k++) {
                    if (writes) {
                        lock.writeLock().lock();
                        assertThat(activity.addAndGet(10_000)).isEqualTo(10_000);
                        Go.gosched();
                        activity.addAndGet(-10_000);
                        lock.writeLock().unlock();
                    } else {
                        lock.readLock().lock();
                        assertThat(activity.incrementAndGet()).isBetween(1, 9999);
                        Go.gosched();
                        activity.decrementAndGet();
                        lock.readLock().unlock();
                    }
                }
            });
        }
        ended.await();
    }

    @GoTest(
            file = FILE,
            value = {"TestParallelReaders", "TestRLocker"},
            adapted = JDK)
    void testParallelReaders() throws Exception {
        var lock = new ReentrantReadWriteLock();
        int readers = 4;
        Chan<Boolean> inside = Chan.make();
        Chan<Boolean> leave = Chan.make();
        var ended = new WaitGroup();
        for (int i = 0; i < readers; i++) {
            ended.go(() -> {
                lock.readLock().lock();
                inside.send(true);
                leave.receive();
                lock.readLock().unlock();
            });
        }
        for (int i = 0; i < readers; i++) {
            inside.receive(); // all hold the lock at once
        }
        leave.close();
        ended.await();
    }

    @GoTest(file = FILE, value = "TestCondSignal", adapted = JDK)
    void testCondSignal() throws Exception {
        var mutex = new ReentrantLock();
        Condition condition = mutex.newCondition();
        int n = 2;
        Chan<Boolean> running = Chan.make(n);
        Chan<Boolean> awake = Chan.make(n);
        for (int i = 0; i < n; i++) {
            Go.go(() -> {
                mutex.lock();
                running.send(true);
                condition.await();
                awake.send(true);
                mutex.unlock();
            });
        }
        for (int i = 0; i < n; i++) {
            running.receive();
        }
        for (int i = 0; i < n; i++) {
            assertThat(awake.len()).isZero();
            mutex.lock();
            condition.signal();
            mutex.unlock();
            awake.receive();
        }
    }

    /// Waiters are signalled in the order in which they began to wait.
    @GoTest(file = FILE, value = "TestCondSignalGenerations", adapted = JDK)
    void testCondSignalGenerations() throws Exception {
        var mutex = new ReentrantLock();
        Condition condition = mutex.newCondition();
        int n = 100;
        Chan<Boolean> running = Chan.make(n);
        Chan<Integer> awake = Chan.make(n);
        for (int i = 0; i < n; i++) {
            int number = i;
            Go.go(() -> {
                mutex.lock();
                running.send(true);
                condition.await();
                awake.send(number);
                mutex.unlock();
            });
            if (i > 0) {
                assertThat(awake.receive()).isEqualTo(i - 1);
            }
            running.receive();
            mutex.lock();
            condition.signal();
            mutex.unlock();
        }
        assertThat(awake.receive()).isEqualTo(n - 1);
    }

    @GoTest(
            file = FILE,
            value = {"TestCondBroadcast", "TestRace"},
            adapted = JDK)
    void testCondBroadcast() throws Exception {
        var mutex = new ReentrantLock();
        Condition condition = mutex.newCondition();
        int n = 50;
        Chan<Integer> running = Chan.make(n);
        Chan<Integer> awake = Chan.make(n);
        var exit = new AtomicBoolean();
        var ended = new WaitGroup();
        for (int i = 0; i < n; i++) {
            int number = i;
            ended.go(() -> {
                mutex.lock();
                while (!exit.get()) {
                    running.send(number);
                    condition.await();
                    awake.send(number);
                }
                mutex.unlock();
            });
        }
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < n; i++) {
                running.receive();
            }
            mutex.lock();
            exit.set(round == 4);
            condition.signalAll();
            mutex.unlock();
            var seen = new ArrayList<Integer>();
            for (int i = 0; i < n; i++) {
                seen.add(awake.receive());
            }
            assertThat(seen).doesNotHaveDuplicates();
        }
        ended.await();
    }

    @GoTest(file = FILE, value = "TestWaitGroup")
    void testWaitGroup() throws Exception {
        var one = new WaitGroup();
        var two = new WaitGroup();
        for (int round = 0; round < 8; round++) { // used again and again
            int n = 16;
            one.add(n);
            two.add(n);
            Chan<Boolean> exited = Chan.make(n);
            for (int i = 0; i < n; i++) {
                Go.go(() -> {
                    one.done();
                    two.await();
                    exited.send(true);
                });
            }
            one.await();
            for (int i = 0; i < n; i++) {
                assertThat(exited.len()).as("released too soon").isZero();
                two.done();
            }
            for (int i = 0; i < n; i++) {
                exited.receive();
            }
        }
    }

    @GoTest(file = FILE, value = "TestWaitGroupMisuse")
    void testWaitGroupMisuse() {
        var group = new WaitGroup();
        group.add(1);
        group.done();
        assertThatThrownBy(group::done).hasMessage("sync: negative WaitGroup counter");
    }

    @GoTest(file = FILE, value = "TestWaitGroupRace")
    void testWaitGroupRace() throws Exception {
        for (int i = 0; i < 1000; i++) {
            var group = new WaitGroup();
            var n = new AtomicInteger();
            group.add(1);
            Go.go(() -> {
                n.incrementAndGet();
                group.done();
            });
            group.add(1);
            Go.go(() -> {
                n.incrementAndGet();
                group.done();
            });
            group.await();
            assertThat(n).hasValue(2);
        }
    }

    @GoTest(file = FILE, value = "TestWaitGroupGo")
    void testWaitGroupGo() throws Exception {
        var group = new WaitGroup();
        var n = new AtomicInteger();
        group.go(n::incrementAndGet);
        group.await();
        assertThat(n).hasValue(1);
        group.go(Go::goexit);
        group.await();
    }

    @GoTest(
            file = FILE,
            value = "TestIssue76126",
            adapted = "an exception ends one goroutine, not the program, so it must release Wait: nothing else would")
    void testIssue76126() throws Exception {
        var failed = new CompletableFuture<Throwable>();
        try (var scheduler = Scheduler.builder()
                .procs(1)
                .uncaughtExceptionHandler((_, e) -> failed.complete(e))
                .build()) {
            var group = new WaitGroup();
            var started = new CountDownLatch(1);
            scheduler.go(() -> {
                group.go(() -> {
                    throw new IllegalStateException("panic in go");
                });
                started.countDown();
            });
            started.await();
            group.await();
        }
        assertThat(failed.get()).hasMessage("panic in go");
    }

    @GoTest(file = FILE, value = "TestOnce")
    void testOnce() throws Exception {
        var once = new Once();
        var runs = new AtomicInteger();
        var ended = new WaitGroup();
        for (int i = 0; i < 10; i++) {
            ended.go(() -> {
                once.run(() -> {
                    Go.gosched(); // the others wait until it is done
                    runs.incrementAndGet();
                });
                assertThat(runs).hasValue(1);
            });
        }
        ended.await();
        assertThat(runs).hasValue(1);
        var itself = new Once();
        assertThatThrownBy(() -> itself.run(() -> itself.run(() -> {}))).isInstanceOf(IllegalStateException.class);
    }

    @GoTest(file = FILE, value = "TestOncePanic")
    void testOncePanic() {
        var once = new Once();
        assertThatThrownBy(() -> once.run(() -> {
                    throw new IllegalStateException("failed");
                }))
                .hasMessage("failed");
        once.run(() -> {
            throw new IllegalStateException("Once.run called twice");
        });
    }

    @GoTest(
            file = FILE,
            value = "TestOnceFunc",
            adapted = "OnceValues has no counterpart: a record of two values is one value")
    void testOnceFunc() throws Exception {
        var calls = new AtomicInteger();
        Runnable function = Once.func(calls::incrementAndGet);
        Supplier<Integer> value = Once.value(calls::incrementAndGet);
        var ended = new WaitGroup();
        for (int i = 0; i < 10; i++) {
            ended.go(function::run);
            ended.go(() -> assertThat(value.get()).isPositive());
        }
        ended.await();
        assertThat(calls).hasValue(2);
        assertThat(value.get()).isEqualTo(value.get());

        var failures = new AtomicInteger();
        Supplier<Integer> failing = Once.value(() -> {
            throw new IllegalStateException("failure " + failures.incrementAndGet());
        });
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(failing::get).hasMessage("failure 1");
        }
    }

    @GoTest(
            file = "sync/atomic",
            value = {"TestHammer32", "TestHammer64"},
            adapted = "java.util.concurrent.atomic")
    void testHammer() throws Exception {
        var small = new AtomicInteger();
        var large = new AtomicLong();
        var ended = new WaitGroup();
        for (int p = 0; p < 4; p++) {
            ended.go(() -> {
                for (int i = 0; i < 20_000; i++) {
                    small.incrementAndGet();
                    large.accumulateAndGet(1L << 32, Long::sum);
                }
            });
        }
        ended.await();
        assertThat(small).hasValue(80_000);
        assertThat(large).hasValue(80_000L << 32);
    }

    /// Dekker: not both may miss the other's store.
    @GoTest(
            file = "sync/atomic",
            value = "TestStoreLoadSeqCst",
            adapted = "volatile fields of java.util.concurrent.atomic")
    void testStoreLoadSeqCst() throws Exception {
        int n = 2000;
        var x = new AtomicInteger[] {new AtomicInteger(), new AtomicInteger()};
        var seen = new int[2][n + 1];
        var turn = new AtomicInteger[] {new AtomicInteger(), new AtomicInteger()};
        var ended = new WaitGroup();
        for (int p = 0; p < 2; p++) {
            int me = p;
            ended.go(() -> {
                for (int i = 1; i <= n; i++) {
                    x[me].set(i);
                    seen[me][i] = x[1 - me].get();
                    turn[me].set(i);
                    while (turn[1 - me].get() < i) {
                        Go.gosched();
                    }
                }
            });
        }
        ended.await();
        for (int i = 1; i <= n; i++) {
            assertThat(seen[0][i] == i - 1 && seen[1][i] == i - 1)
                    .as("round %d", i)
                    .isFalse();
        }
    }
}
