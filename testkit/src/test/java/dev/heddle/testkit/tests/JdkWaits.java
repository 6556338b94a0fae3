package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testkit.Bubble;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
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
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/// Every way of the JDK to wait for an hour, by its name.
@SuppressWarnings({"FutureReturnValueIgnored", "JavaUtilDate", "LockNotBeforeTry", "WaitNotInLoop"}) // single waits
final class JdkWaits {

    static final Duration HOUR = Duration.ofHours(1);
    private static final long HOUR_NANOS = HOUR.toNanos();
    private static final long HOUR_MILLIS = HOUR.toMillis();

    private JdkWaits() {}

    static Map<String, Bubble.Body> all() {
        Map<String, Bubble.Body> waits = new LinkedHashMap<>();
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
        waits.put("DelayQueue.take", _ -> new DelayQueue<>(List.of(new InAnHour())).take());
        waits.put("Exchanger.exchange", _ -> timesOut(() -> new Exchanger<String>().exchange("a", 1, TimeUnit.HOURS)));
        waits.put(
                "Phaser.awaitAdvance",
                _ -> timesOut(() -> new Phaser(2).awaitAdvanceInterruptibly(0, 1, TimeUnit.HOURS)));
        waits.put("CyclicBarrier.await", _ -> timesOut(() -> new CyclicBarrier(2).await(1, TimeUnit.HOURS)));
        waits.put("Thread.join", _ -> join());
        waits.put("FutureTask.get", _ -> timesOut(() -> new FutureTask<>(() -> 1).get(1, TimeUnit.HOURS)));
        waits.put(
                "ForkJoinTask.get",
                _ -> timesOut(() -> ForkJoinTask.adapt(() -> 1).get(1, TimeUnit.HOURS)));
        waits.put(
                "AbstractQueuedLongSynchronizer",
                _ -> assertThat(new NeverFree().tryAcquireNanos(1, HOUR_NANOS)).isFalse());
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
                _ -> CompletableFuture.supplyAsync(JdkWaits::sleepAnHour).join());
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
        waits.put("LockSupport.parkUntil", _ -> LockSupport.parkUntil(System.currentTimeMillis() + HOUR_MILLIS));
        waits.put("TimeUnit.sleep", _ -> TimeUnit.HOURS.sleep(1));
        waits.put("Thread.join(millis)", _ -> joinMillis());
        waits.put("Object.wait(millis, nanos)", _ -> objectWaitNanos());
        waits.put("Condition.awaitUntil", _ -> conditionUntil());
        waits.put("ReentrantReadWriteLock.tryLock", _ -> readWriteLock());
        waits.put(
                "ArrayBlockingQueue.offer",
                _ -> assertThat(full().offer("second", 1, TimeUnit.HOURS)).isFalse());
        waits.put(
                "LinkedTransferQueue.tryTransfer",
                _ -> assertThat(new LinkedTransferQueue<>().tryTransfer("item", 1, TimeUnit.HOURS))
                        .isFalse());
        waits.put("ExecutorService.awaitTermination", _ -> awaitTermination());
        waits.put("invokeAll with timeout", _ -> invokeAll());
        waits.put("scheduled pool at a fixed rate", _ -> atFixedRate());
        waits.put(
                "Process.waitFor of a fake",
                _ -> assertThat(new NeverEnds().waitFor(1, TimeUnit.HOURS)).isFalse());
        waits.put("SubmissionPublisher.offer with timeout", _ -> publisherOffer());
        return waits;
    }

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

    private static Integer sleepADay() throws InterruptedException {
        Thread.sleep(Duration.ofDays(1));
        return 1;
    }

    private static void inExecutor(ExecutorService executor) throws Exception {
        try (executor) {
            assertThat(executor.submit(JdkWaits::sleepAnHour).get()).isOne();
        }
    }

    private static void scheduled() throws Exception {
        try (ScheduledExecutorService executor = Executors.newScheduledThreadPool(1)) {
            assertThat(executor.schedule(() -> "done", 1, TimeUnit.HOURS).get()).isEqualTo("done");
        }
    }

    private static void invokeAny() throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Integer> fails = () -> {
                Thread.sleep(HOUR.dividedBy(2));
                throw new IllegalStateException("the other goes on");
            };
            timesOut(() -> executor.invokeAny(List.of(fails, JdkWaits::sleepADay), 1, TimeUnit.HOURS));
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

    private static void joinMillis() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Thread other = Thread.startVirtualThread(() -> await(done));
        other.join(HOUR_MILLIS);
        assertThat(other.isAlive()).isTrue();
        done.countDown();
        other.join();
    }

    private static void objectWaitNanos() throws InterruptedException {
        Object monitor = new Object();
        synchronized (monitor) {
            monitor.wait(HOUR_MILLIS - 1, 1); // rounded up
        }
    }

    private static void conditionUntil() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            assertThat(lock.newCondition().awaitUntil(new Date(System.currentTimeMillis() + HOUR_MILLIS)))
                    .isFalse();
        } finally {
            lock.unlock();
        }
    }

    private static void readWriteLock() throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.readLock().lock();
        assertThat(lock.writeLock().tryLock(1, TimeUnit.HOURS)).isFalse();
        lock.readLock().unlock();
    }

    private static final class NeverFree extends AbstractQueuedLongSynchronizer {
        @Override
        protected boolean tryAcquire(long wanted) {
            return false;
        }
    }

    /// A fake of a process. Its timed wait is that of the JDK, which asks it for its exit value.
    private static final class NeverEnds extends Process {
        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() throws InterruptedException {
            new CountDownLatch(1).await();
            return 0;
        }

        @Override
        public int exitValue() {
            throw new IllegalThreadStateException("it has not ended");
        }

        @Override
        public void destroy() {
            // it is none
        }
    }

    private static BlockingQueue<String> full() {
        return new ArrayBlockingQueue<>(1, /* fair= */ false, List.of("first"));
    }

    private static void awaitTermination() throws InterruptedException {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch done = new CountDownLatch(1);
            executor.execute(() -> await(done));
            executor.shutdown();
            assertThat(executor.awaitTermination(1, TimeUnit.HOURS)).isFalse();
            done.countDown();
        }
    }

    private static void invokeAll() throws InterruptedException {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Integer> ends = () -> {
                Thread.sleep(HOUR.dividedBy(2));
                return 1;
            };
            assertThat(executor.invokeAll(List.of(ends, JdkWaits::sleepADay), 1, TimeUnit.HOURS))
                    .extracting(Future::isCancelled)
                    .containsExactly(false, true);
        }
    }

    /// At once, and then every twenty minutes.
    private static void atFixedRate() throws InterruptedException {
        try (ScheduledExecutorService executor = Executors.newScheduledThreadPool(1)) {
            CountDownLatch ticks = new CountDownLatch(4);
            executor.scheduleAtFixedRate(ticks::countDown, 0, 20, TimeUnit.MINUTES);
            ticks.await();
            executor.shutdownNow();
        }
    }

    private static void publisherOffer() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch mayReceive = new CountDownLatch(1);
        try (SubmissionPublisher<String> publisher = new SubmissionPublisher<>(ForkJoinPool.commonPool(), 1)) {
            publisher.consume(_ -> {
                began.countDown();
                await(mayReceive);
            });
            publisher.submit("keeps the consumer");
            began.await();
            while (publisher.offer("fills the buffer", null) >= 0) {
                Thread.yield();
            }
            assertThat(publisher.offer("one too many", 1, TimeUnit.HOURS, null)).isNegative();
            mayReceive.countDown();
        }
    }
}
