package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Select;
import dev.heddle.Timer;
import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every way of the JDK and of Heddle's API to wait for an hour returns at once, after an hour of virtual time.
@SuppressWarnings({"FutureReturnValueIgnored", "JavaUtilDate", "LockNotBeforeTry", "WaitNotInLoop"}) // single waits
class VirtualTimeTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final long HOUR_NANOS = HOUR.toNanos();
    private static final Options OPTIONS = Options.defaults().withSchedules(5);

    private final Map<String, Bubble.Body> waits = new LinkedHashMap<>();

    VirtualTimeTest() {
        waits.put("Thread.sleep", _ -> Thread.sleep(HOUR));
        waits.put("LockSupport.parkNanos", _ -> LockSupport.parkNanos(HOUR_NANOS));
        waits.put("Object.wait", _ -> objectWait());
        waits.put("Condition.await", _ -> condition());
        waits.put("ReentrantLock.tryLock", _ -> tryLock());
        waits.put("StampedLock.tryWriteLock", _ -> stampedLock());
        waits.put(
                "CountDownLatch.await",
                _ -> assertThat(new CountDownLatch(1).await(1, TimeUnit.HOURS)).isFalse());
        waits.put(
                "Semaphore.tryAcquire",
                _ -> assertThat(new Semaphore(0).tryAcquire(1, TimeUnit.HOURS)).isFalse());
        waits.put("ArrayBlockingQueue.poll", _ -> poll(new ArrayBlockingQueue<>(1)));
        waits.put("LinkedBlockingQueue.poll", _ -> poll(new LinkedBlockingQueue<>()));
        waits.put("LinkedBlockingDeque.poll", _ -> poll(new LinkedBlockingDeque<>()));
        waits.put("LinkedTransferQueue.poll", _ -> poll(new LinkedTransferQueue<>()));
        waits.put("PriorityBlockingQueue.poll", _ -> poll(new PriorityBlockingQueue<>()));
        waits.put("SynchronousQueue.poll", _ -> poll(new SynchronousQueue<>()));
        waits.put("DelayQueue.take", _ -> new DelayQueue<>(java.util.List.of(new InAnHour())).take());
        waits.put("Exchanger.exchange", _ -> timesOut(() -> new Exchanger<String>().exchange("a", 1, TimeUnit.HOURS)));
        waits.put(
                "Phaser.awaitAdvance",
                _ -> timesOut(() -> new Phaser(2).awaitAdvanceInterruptibly(0, 1, TimeUnit.HOURS)));
        waits.put("CyclicBarrier.await", _ -> timesOut(() -> new CyclicBarrier(2).await(1, TimeUnit.HOURS)));
        waits.put("Thread.join", _ -> join());
        waits.put("FutureTask.get", _ -> timesOut(() -> new FutureTask<>(() -> 1).get(1, TimeUnit.HOURS)));
        waits.put("CompletableFuture.get", _ -> timesOut(() -> new CompletableFuture<>().get(1, TimeUnit.HOURS)));
        waits.put(
                "CompletableFuture.orTimeout",
                _ -> timesOut(() ->
                        new CompletableFuture<>().orTimeout(1, TimeUnit.HOURS).get()));
        waits.put(
                "CompletableFuture.completeOnTimeout",
                _ -> new CompletableFuture<String>()
                        .completeOnTimeout("late", 1, TimeUnit.HOURS)
                        .join());
        waits.put(
                "CompletableFuture.delayedExecutor",
                _ -> CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(1, TimeUnit.HOURS))
                        .get());
        waits.put(
                "CompletableFuture.supplyAsync",
                _ -> CompletableFuture.supplyAsync(VirtualTimeTest::sleepAnHour).join());
        waits.put("per-task executor", _ -> inExecutor(Executors.newVirtualThreadPerTaskExecutor()));
        waits.put("fixed pool", _ -> inExecutor(Executors.newFixedThreadPool(2)));
        waits.put("cached pool", _ -> inExecutor(Executors.newCachedThreadPool()));
        waits.put("scheduled pool", _ -> scheduled());
        waits.put("invokeAny with timeout", _ -> invokeAny());
        waits.put(
                "ReferenceQueue.remove",
                _ -> assertThat(new ReferenceQueue<>().remove(HOUR.toMillis())).isNull());
        waits.put("SubmissionPublisher.offer", _ -> publisher());
        waits.put("contended synchronized", _ -> contended());
        waits.put("notify after an hour", _ -> notified());
        waits.put("Heddle's Timer.after", _ -> Timer.after(HOUR).receive());
        waits.put("Heddle's Select with timeout", _ -> select());
        waits.put("Heddle's Chan from a sleeper", _ -> chan());
    }

    @TestFactory
    Stream<DynamicTest> anHourPassesAtOnce() {
        return waits.entrySet().stream()
                .map(wait -> DynamicTest.dynamicTest(wait.getKey(), () -> check(wait.getValue())));
    }

    private static void check(Bubble.Body wait) {
        Bubble.check(OPTIONS, bubble -> {
            long nanos = System.nanoTime();
            long millis = System.currentTimeMillis();
            wait.run(bubble);
            assertThat(System.nanoTime() - nanos).isBetween(HOUR_NANOS, HOUR_NANOS + 1_000_000);
            assertThat(System.currentTimeMillis() - millis).isEqualTo(HOUR.toMillis());
            assertThat(bubble.now())
                    .isBetween(Instant.parse("2000-01-01T01:00:00Z"), Instant.parse("2000-01-01T01:00:00.001Z"));
        });
    }

    @TestFactory
    Stream<DynamicTest> allClocksAgree() {
        LocalDateTime expected = LocalDateTime.parse("2000-01-01T01:00:00");
        return Stream.of(
                clock("Instant", () -> LocalDateTime.ofInstant(Instant.now(), ZoneOffset.UTC), expected),
                clock("LocalDateTime", () -> LocalDateTime.now(ZoneId.of("UTC")), expected),
                clock("Date", () -> LocalDateTime.ofInstant(new Date().toInstant(), ZoneOffset.UTC), expected),
                clock(
                        "Calendar",
                        () -> LocalDateTime.ofInstant(
                                java.util.Calendar.getInstance().toInstant(), ZoneOffset.UTC),
                        expected));
    }

    private static DynamicTest clock(
            String name, java.util.function.Supplier<LocalDateTime> now, LocalDateTime expected) {
        return DynamicTest.dynamicTest(
                name,
                () -> Bubble.check(OPTIONS, _ -> {
                    Thread.sleep(HOUR);
                    assertThat(now.get()).isEqualTo(expected);
                }));
    }

    // ---- the waits

    private static void objectWait() throws InterruptedException {
        Object monitor = new Object();
        synchronized (monitor) {
            monitor.wait(HOUR.toMillis());
        }
    }

    private static void condition() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            assertThat(lock.newCondition().await(1, TimeUnit.HOURS)).isFalse();
        } finally {
            lock.unlock();
        }
    }

    private static void tryLock() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch done = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        Thread holder = Thread.startVirtualThread(() -> {
            lock.lock();
            held.countDown();
            await(done);
            lock.unlock();
        });
        held.await();
        assertThat(lock.tryLock(1, TimeUnit.HOURS)).isFalse();
        done.countDown();
        holder.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void stampedLock() throws InterruptedException {
        StampedLock lock = new StampedLock();
        long stamp = lock.readLock();
        assertThat(lock.tryWriteLock(1, TimeUnit.HOURS)).isZero();
        lock.unlockRead(stamp);
    }

    private static void poll(BlockingQueue<String> queue) throws InterruptedException {
        assertThat(queue.poll(1, TimeUnit.HOURS)).isNull();
    }

    private record InAnHour(long due) implements Delayed {
        InAnHour() {
            this(System.nanoTime() + HOUR_NANOS);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    private interface Action {
        Object run() throws Exception;
    }

    private static void timesOut(Action action) throws Exception {
        try {
            action.run();
        } catch (TimeoutException _) {
            return;
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(TimeoutException.class);
            return;
        }
        throw new AssertionError("no timeout");
    }

    private static void join() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Thread other = Thread.startVirtualThread(() -> await(done));
        assertThat(other.join(HOUR)).isFalse();
        done.countDown();
        other.join();
    }

    private static Integer sleepAnHour() {
        try {
            Thread.sleep(HOUR);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return 1;
    }

    private static void inExecutor(ExecutorService executor) throws Exception {
        try (executor) {
            assertThat(executor.submit(VirtualTimeTest::sleepAnHour).get()).isOne();
        }
    }

    private static void scheduled() throws Exception {
        try (ScheduledExecutorService executor = Executors.newScheduledThreadPool(1)) {
            assertThat(executor.schedule(() -> "done", 1, TimeUnit.HOURS).get()).isEqualTo("done");
        }
    }

    private static void invokeAny() throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            timesOut(() -> executor.invokeAny(
                    java.util.List.of(() -> {
                        Thread.sleep(Duration.ofDays(1));
                        return 1;
                    }),
                    1,
                    TimeUnit.HOURS));
        }
    }

    private static void publisher() throws InterruptedException {
        CountDownLatch received = new CountDownLatch(1);
        try (SubmissionPublisher<String> publisher = new SubmissionPublisher<>()) {
            publisher.consume(_ -> {
                sleepAnHour();
                received.countDown();
            });
            publisher.offer("item", null);
            received.await();
        }
    }

    private static void contended() throws InterruptedException {
        Object monitor = new Object();
        CountDownLatch held = new CountDownLatch(1);
        Thread holder = Thread.startVirtualThread(() -> {
            synchronized (monitor) {
                held.countDown();
                sleepAnHour();
            }
        });
        held.await();
        synchronized (monitor) {
            assertThat(held.getCount()).isZero();
        }
        holder.join();
    }

    private static void notified() throws InterruptedException {
        Object monitor = new Object();
        boolean[] ready = new boolean[1];
        Thread notifier = Thread.startVirtualThread(() -> {
            sleepAnHour();
            synchronized (monitor) {
                ready[0] = true;
                monitor.notifyAll();
            }
        });
        synchronized (monitor) {
            while (!ready[0]) {
                monitor.wait();
            }
        }
        notifier.join();
    }

    private static void select() throws InterruptedException {
        Chan<String> never = Chan.make();
        Select.Case timeout = Select.timeout(HOUR);
        assertThat(Select.select(Select.receive(never), timeout)).isSameAs(timeout);
    }

    private static void chan() throws InterruptedException {
        Chan<String> chan = Chan.make();
        dev.heddle.Go.go(() -> {
            Thread.sleep(HOUR);
            chan.send("hello");
        });
        assertThat(chan.receive()).isEqualTo("hello");
    }
}
