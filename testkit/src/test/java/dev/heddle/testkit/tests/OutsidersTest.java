package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Escapes;
import dev.heddle.testkit.FailureKind;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.ScheduleFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Threads that were there before the bubble: no false deadlock and no jump of the clock while they work for the test,
/// and a failure that names them if they answer.
class OutsidersTest {

    private static final Options ONCE = Options.defaults().withSchedules(1);
    private static final Options WAIT = ONCE.withEscapes(Escapes.WAIT);
    private static final Instant BEGIN = Instant.parse("2000-01-01T00:00:00Z");

    /// How often a check runs its body for one schedule.
    private static final int RUNS = 3;

    private final List<Thread> outsiders = new ArrayList<>();

    @AfterEach
    void endOutsiders() throws InterruptedException {
        for (Thread outsider : outsiders) {
            outsider.interrupt();
            outsider.join();
        }
    }

    private interface Action {
        void run() throws InterruptedException;
    }

    /// Starts a thread that ends when it is interrupted.
    private Thread outsider(Thread.Builder builder, Action action) {
        Thread thread = builder.name("outsider").start(() -> {
            try {
                action.run();
            } catch (InterruptedException _) {
                // the end of the test
            }
        });
        outsiders.add(thread);
        return thread;
    }

    private static void awaitWait(Thread thread) {
        Awaitility.await().until(() -> isWaiting(thread));
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static ScheduleFailure escapeOf(Bubble.Body body) {
        ScheduleFailure failure = catchThrowableOfType(ScheduleFailure.class, () -> Bubble.check(ONCE, body));
        assertThat(failure).as("the check fails").isNotNull();
        assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(FailureKind.ESCAPE);
        return failure;
    }

    // ---- pools

    /// Answers when the current thread waits for the answer.
    private static Callable<Integer> answer() {
        Thread asker = Thread.currentThread();
        return () -> {
            while (!isWaiting(asker) && asker.isAlive()) {
                Thread.sleep(1);
            }
            return 42;
        };
    }

    /// A pool with one thread, which waits for work.
    private static ExecutorService warm(ExecutorService pool) throws Exception {
        Thread worker = pool.submit(Thread::currentThread).get();
        worker.setName("worker");
        awaitWait(worker);
        return pool;
    }

    @Test
    void aPoolOfPlatformThreadsIsNamedWhenItAnswers() throws Exception {
        try (ExecutorService pool = warm(Executors.newFixedThreadPool(1))) {
            assertThat(escapeOf(_ -> pool.submit(answer()).get()))
                    .hasMessageContaining("#0 test is woken at OutsidersTest.")
                    .hasMessageContaining(
                            "by the thread \"worker\", which is outside of the bubble: start it, or the pool"
                                    + " that it belongs to, anew in each schedule, or allow it with escapes = WAIT");
        }
    }

    @Test
    void aTimeoutDoesNotFireWhileThePoolWorks() throws Exception {
        try (ExecutorService pool = warm(Executors.newFixedThreadPool(1))) {
            assertThat(escapeOf(_ -> pool.submit(answer()).get(1, TimeUnit.HOURS)))
                    .hasMessageContaining("by the thread \"worker\"");
        }
    }

    @Test
    void aForkJoinPoolIsNamedWhenItAnswers() throws Exception {
        try (ExecutorService pool = warm(new ForkJoinPool(1))) {
            assertThat(escapeOf(_ -> pool.submit(answer()).get(1, TimeUnit.HOURS)))
                    .hasMessageContaining("by the thread \"worker\"");
        }
    }

    @Test
    void aPoolMayAnswerInRealTime() throws Exception {
        try (ExecutorService pool = warm(Executors.newFixedThreadPool(1))) {
            Bubble.check(WAIT, bubble -> {
                assertThat(pool.submit(answer()).get(1, TimeUnit.HOURS)).isEqualTo(42);
                assertThat(bubble.now()).isBefore(BEGIN.plus(Duration.ofHours(1)));
            });
        }
    }

    @Test
    void aVirtualThreadOfTheJdksSchedulerIsNamedWhenItAnswers() {
        BlockingQueue<Thread> askers = new LinkedBlockingQueue<>();
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        Thread echo = outsider(Thread.ofVirtual(), () -> {
            while (true) {
                Thread asker = askers.take();
                while (!isWaiting(asker) && asker.isAlive()) {
                    Thread.sleep(1);
                }
                answers.put("hello");
            }
        });
        awaitWait(echo);
        assertThat(escapeOf(_ -> {
                    askers.put(Thread.currentThread());
                    assertThat(answers.poll(1, TimeUnit.HOURS)).isEqualTo("hello");
                }))
                .hasMessageContaining("by the thread \"outsider\"");
    }

    /// As an asynchronous logger: its writer is woken, and no thread of the test waits for it.
    @Test
    void aThreadThatDoesNotAnswerIsNoFailure() {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        AtomicInteger written = new AtomicInteger();
        Thread writer = outsider(Thread.ofPlatform(), () -> {
            while (true) {
                lines.take();
                written.incrementAndGet();
            }
        });
        awaitWait(writer);
        AtomicInteger expected = new AtomicInteger();
        Bubble.check(ONCE.withSchedules(20), bubble -> {
            lines.put("begins");
            Thread.sleep(Duration.ofHours(1));
            assertThat(written).as("the hour passed after the line was written").hasValue(expected.incrementAndGet());
            assertThat(bubble.now()).isEqualTo(BEGIN.plus(Duration.ofHours(1)));
        });
    }

    @Test
    void aThreadThatWorksOnIsNamedAfterTenSeconds() {
        BlockingQueue<String> tasks = new LinkedBlockingQueue<>();
        CountDownLatch never = new CountDownLatch(1);
        Thread worker = outsider(Thread.ofPlatform(), () -> {
            tasks.take();
            never.await();
        });
        awaitWait(worker);
        assertThat(escapeOf(_ -> {
                    tasks.put("task");
                    Thread.sleep(1000);
                }))
                .hasMessageContaining("waits for the thread \"outsider\", which the test wakes at OutsidersTest.")
                .hasMessageContaining("still at work after 10 s of real time");
    }

    // ---- locks

    @Test
    void aLockThatIsHeldOutsideIsWaitedFor() {
        List<ReentrantLock> locks = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            locks.add(new ReentrantLock());
        }
        CountDownLatch held = new CountDownLatch(1);
        outsider(Thread.ofPlatform(), () -> {
            locks.forEach(ReentrantLock::lock);
            held.countDown();
            for (ReentrantLock lock : locks) {
                awaitQueue(lock);
                lock.unlock();
            }
        });
        awaitZero(held);
        AtomicInteger runs = new AtomicInteger();
        Bubble.check(ONCE, bubble -> {
            ReentrantLock lock = locks.get(runs.getAndIncrement());
            assertThat(lock.tryLock(1, TimeUnit.HOURS)).isTrue();
            lock.unlock();
            assertThat(bubble.now()).isEqualTo(BEGIN);
        });
        assertThat(runs).hasValue(RUNS);
    }

    private static void awaitQueue(ReentrantLock lock) throws InterruptedException {
        while (!lock.hasQueuedThreads()) {
            Thread.sleep(1);
        }
    }

    private static void awaitZero(CountDownLatch latch) {
        Awaitility.await().until(() -> latch.getCount() == 0);
    }

    /// One thread waits for a lock that a thread of the bubble holds.
    @Test
    void aThreadOutsideThatWaitsForALockIsNoHelper() {
        ReentrantLock lock = new ReentrantLock(/* fair= */ true);
        Thread rival = outsider(Thread.ofPlatform(), () -> {
            while (true) {
                lock.lockInterruptibly();
                lock.unlock();
                Thread.sleep(1);
            }
        });
        Bubble.check(ONCE.withSchedules(50), bubble -> {
            lock.lock();
            try {
                Thread.sleep(Duration.ofHours(1));
            } finally {
                lock.unlock();
            }
            assertThat(bubble.now()).isEqualTo(BEGIN.plus(Duration.ofHours(1)));
        });
        assertThat(rival.isAlive()).isTrue();
    }

    @Test
    void aMonitorThatIsHeldOutsideIsWaitedFor() {
        Object[] monitors = new Object[RUNS];
        for (int i = 0; i < RUNS; i++) {
            monitors[i] = new Object();
        }
        AtomicReferenceArray<Thread> waiters = new AtomicReferenceArray<>(RUNS);
        CountDownLatch held = new CountDownLatch(1);
        outsider(Thread.ofPlatform(), () -> hold(monitors, waiters, 0, held));
        awaitZero(held);
        AtomicInteger runs = new AtomicInteger();
        Bubble.check(ONCE, bubble -> {
            int run = RUNS - 1 - runs.getAndIncrement(); // the last one is released first
            waiters.set(run, Thread.currentThread());
            synchronized (monitors[run]) {
                assertThat(bubble.now()).isEqualTo(BEGIN);
            }
        });
        assertThat(runs).hasValue(RUNS);
    }

    /// Holds all monitors, and releases each when a thread waits for it.
    private static void hold(
            Object[] monitors, AtomicReferenceArray<Thread> waiters, int number, CountDownLatch allHeld)
            throws InterruptedException {
        if (number == monitors.length) {
            allHeld.countDown();
            return;
        }
        synchronized (monitors[number]) {
            hold(monitors, waiters, number + 1, allHeld);
            while (waiters.get(number) == null || waiters.get(number).getState() != Thread.State.BLOCKED) {
                Thread.sleep(1);
            }
        }
    }
}
