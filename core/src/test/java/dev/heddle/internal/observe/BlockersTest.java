package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Scheduler;
import dev.heddle.internal.kernel.Inspector;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Test;

/// What a dump says of locks, semaphores, latches and pools.
class BlockersTest {

    private static final int DUMPS = 300;

    private final AtomicBoolean ended = new AtomicBoolean();

    /// The owner of a lock is read together with its stack. Read one after the other, the owner would often seem to
    /// sleep with the lock, although it has released it.
    @Test
    void noOwnerSeemsToSleepWithALockThatItHasReleased() {
        var lock = new ReentrantLock();
        try (Scheduler scheduler = Scheduler.builder().name("hot").procs(2).build();
                End _ = () -> ended.set(true)) {
            for (int i = 0; i < 6; i++) {
                scheduler.go(() -> {
                    while (!ended.get()) {
                        lock.lock();
                        computeBriefly();
                        lock.unlock();
                        Thread.sleep(0, 100_000);
                    }
                });
            }
            DumpSeries series = new DumpSeries(kernel("hot"));
            List<GoroutineStats> sleepers = new ArrayList<>();
            int contended = 0;
            for (int i = 0; i < DUMPS; i++) {
                Dump dump = series.next();
                for (Blocker blocker : dump.blockers()) {
                    contended += blocker.line().size();
                    dump.goroutines().stream()
                            .filter(it -> it.id() == blocker.owner() && "sleep".equals(it.waitReason()))
                            .forEach(sleepers::add);
                }
            }
            assertThat(contended).isPositive();
            assertThat(sleepers).isEmpty();
        }
    }

    @Test
    void anOwnerThatSleepsWithTheLockIsCertain() {
        var lock = new ReentrantLock();
        var release = new CountDownLatch(1);
        try (Scheduler scheduler = Scheduler.builder().name("slow").procs(2).build();
                End _ = release::countDown) {
            scheduler.go(() -> holdUntil(release, lock));
            await().until(lock::isLocked);
            scheduler.go(() -> lockOnce(lock));
            DumpSeries series = new DumpSeries(kernel("slow"));

            await().until(() -> blocker(series.next(), ReentrantLock.class).isPresent());

            Dump dump = series.next();
            Blocker seen = blocker(dump, ReentrantLock.class).orElseThrow();
            assertThat(goroutine(dump, seen.owner()).stack()).anyMatch(it -> it.contains("holdUntil"));
            assertThat(seen.line()).hasSize(1);
            assertThat(goroutine(dump, seen.line().getFirst().thread()).stack())
                    .anyMatch(it -> it.contains("lockOnce"));
            assertThat(blocker(dump, CountDownLatch.class).orElseThrow().value())
                    .isEqualTo(1);
        }
    }

    /// A goroutine may wait for a lock that a platform thread holds.
    @Test
    void aPlatformThreadIsACertainOwnerToo() throws InterruptedException {
        var lock = new ReentrantLock();
        var release = new CountDownLatch(1);
        Thread holder = new Thread(() -> holdUntil(release, lock), "holder");
        holder.start();
        try (Scheduler scheduler = Scheduler.builder().name("platform").procs(2).build();
                End _ = release::countDown) {
            await().until(lock::isLocked);
            scheduler.go(() -> lockOnce(lock));
            DumpSeries series = new DumpSeries(kernel("platform"));

            await().until(() -> blocker(series.next(), ReentrantLock.class)
                    .filter(it -> it.owner() == holder.threadId())
                    .isPresent());

            assertThat(series.next().platform()).anySatisfy(it -> {
                assertThat(it.id()).isEqualTo(holder.threadId());
                assertThat(it.state()).isEqualTo(GoroutineState.WAITING);
                assertThat(it.waitReason()).isEqualTo("semacquire");
            });
        }
        holder.join();
    }

    @Test
    void theFirstReaderOwnsAReadWriteLock() {
        var lock = new ReentrantReadWriteLock();
        var release = new CountDownLatch(1);
        try (Scheduler scheduler = Scheduler.builder().name("reader").procs(2).build();
                End _ = release::countDown) {
            scheduler.go(() -> {
                lock.readLock().lock();
                release.await();
                lock.readLock().unlock();
            });
            await().until(() -> lock.getReadLockCount() == 1);
            scheduler.go(() -> {
                lock.writeLock().lock();
                lock.writeLock().unlock();
            });
            DumpSeries series = new DumpSeries(kernel("reader"));

            await().until(() -> blocker(series.next(), ReentrantReadWriteLock.class)
                    .filter(it -> it.owner() != 0 && it.value() == 1)
                    .isPresent());
        }
    }

    @Test
    void theNumberOfAWaitStaysUntilTheNextWait() throws InterruptedException {
        var semaphore = new Semaphore(0);
        try (Scheduler scheduler = Scheduler.builder().name("waits").procs(2).build();
                End _ = () -> semaphore.release(2)) {
            scheduler.go(() -> {
                semaphore.acquire();
                semaphore.acquire();
            });
            DumpSeries series = new DumpSeries(kernel("waits"));
            await().until(() -> blocker(series.next(), Semaphore.class).isPresent());
            Blocker first = blocker(series.next(), Semaphore.class).orElseThrow();
            Blocker same = blocker(series.next(), Semaphore.class).orElseThrow();
            assertThat(same).isEqualTo(first);
            assertThat(first.value()).isZero();

            semaphore.release();

            await().until(() -> blocker(series.next(), Semaphore.class)
                    .filter(it -> it.line().size() == 1
                            && it.line().getFirst().number()
                                    != first.line().getFirst().number())
                    .isPresent());
        }
    }

    @Test
    void aPoolIsReadWithItsBusyThreadsAndItsQueue() {
        var release = new CountDownLatch(1);
        try (Scheduler _ = Scheduler.builder().name("pool").procs(2).build();
                ExecutorService pool = Executors.newFixedThreadPool(2);
                End _ = release::countDown) {
            for (int i = 0; i < 5; i++) {
                pool.submit(() -> {
                    release.await();
                    return null;
                });
            }
            DumpSeries series = new DumpSeries(kernel("pool"));

            await().until(() -> series.next().pools().stream()
                    .anyMatch(it -> it.id().startsWith("java.util.concurrent.ThreadPoolExecutor@")
                            && it.size() == 2
                            && it.limit() == 2
                            && it.queued() == 3
                            && it.busy().size() == 2));
        }
    }

    @Test
    void aTimerIsAPoolOfOneThreadThatMayBeLate() throws InterruptedException {
        var release = new CountDownLatch(1);
        var idle = new Timer("idle timer", /* isDaemon= */ true);
        var occupied = new Timer("occupied timer", /* isDaemon= */ true);
        try (Scheduler _ = Scheduler.builder().name("timers").procs(2).build();
                End _ = release::countDown) {
            occupied.schedule(awaiting(release), 0);
            occupied.schedule(awaiting(release), 0);
            idle.schedule(awaiting(release), /* delay= */ 3_600_000);
            DumpSeries series = new DumpSeries(kernel("timers"));

            await().until(() -> pool(series.next(), "occupied timer")
                    .filter(it -> it.limit() == 1
                            && it.queued() == 1
                            && it.lateMillis() > 0
                            && it.busy().size() == 1)
                    .isPresent());

            await().until(() -> pool(series.next(), "idle timer")
                    .filter(it -> it.queued() == 0
                            && it.lateMillis() == 0
                            && it.busy().isEmpty())
                    .isPresent());
        } finally {
            idle.cancel();
            occupied.cancel();
        }
    }

    private static TimerTask awaiting(CountDownLatch release) {
        return new TimerTask() {
            @Override
            public void run() {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
    }

    private static Optional<Pool> pool(Dump dump, String name) {
        return dump.pools().stream().filter(it -> it.name().equals(name)).findFirst();
    }

    @Test
    void theConditionsOfOneLockHaveItsNumber() {
        var lock = new ReentrantLock();
        var other = new ReentrantLock();
        List<Thread> waiters = new ArrayList<>();
        try (Scheduler scheduler =
                        Scheduler.builder().name("conditions").procs(2).build();
                End _ = () -> waiters.forEach(Thread::interrupt)) {
            waiters.add(scheduler.threadFactory().newThread(() -> awaitOn(lock)));
            waiters.add(scheduler.threadFactory().newThread(() -> awaitOn(lock)));
            waiters.add(scheduler.threadFactory().newThread(() -> awaitOn(other)));
            waiters.forEach(Thread::start);
            DumpSeries series = new DumpSeries(kernel("conditions"));

            Dump dump = await().until(series::next, it -> numbers(it, waiters).size() == 3);

            List<Long> numbers = numbers(dump, waiters);
            assertThat(numbers).doesNotContain(0L);
            assertThat(numbers.get(0)).isEqualTo(numbers.get(1)).isNotEqualTo(numbers.get(2));
        }
    }

    /// Waits at a new condition of the lock.
    private static void awaitOn(ReentrantLock lock) {
        lock.lock();
        try {
            lock.newCondition().await();
        } catch (InterruptedException _) {
            // the test has ended
        } finally {
            lock.unlock();
        }
    }

    /// The values of the conditions that these threads wait for, in their order.
    private static List<Long> numbers(Dump dump, List<Thread> waiters) {
        List<Long> numbers = new ArrayList<>();
        for (Thread waiter : waiters) {
            dump.goroutines().stream()
                    .filter(it -> it.id() == waiter.threadId())
                    .flatMap(it -> dump.blockers().stream()
                            .filter(blocker -> blocker.id().equals(it.blocker())
                                    && blocker.type().endsWith(".Condition")))
                    .forEach(it -> numbers.add(it.value()));
        }
        return numbers;
    }

    /// Long enough that others come to wait for the lock.
    private static void computeBriefly() {
        long end = System.nanoTime() + 100_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private interface End extends AutoCloseable {
        @Override
        void close();
    }

    private static void holdUntil(CountDownLatch release, ReentrantLock lock) {
        lock.lock();
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private static void lockOnce(ReentrantLock lock) {
        lock.lock();
        lock.unlock();
    }

    private static Optional<Blocker> blocker(Dump dump, Class<?> type) {
        return dump.blockers().stream()
                .filter(it -> it.type().equals(type.getName()) && !it.line().isEmpty())
                .findFirst();
    }

    private static GoroutineStats goroutine(Dump dump, long id) {
        return dump.goroutines().stream()
                .filter(it -> it.id() == id)
                .findFirst()
                .orElseThrow();
    }

    private static Kernel kernel(String scheduler) {
        return Inspector.kernels().stream()
                .filter(it -> it.name().equals(scheduler))
                .findFirst()
                .orElseThrow();
    }
}
