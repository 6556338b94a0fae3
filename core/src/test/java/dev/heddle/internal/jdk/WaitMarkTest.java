package dev.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How long a thread has waited or been runnable, as snapshots tell it.
final class WaitMarkTest {

    private static final int HOUR_MILLIS = 3_600_000;

    private final Scheduler scheduler = Scheduler.builder().procs(2).build();

    private final List<Thread> started = new ArrayList<>();

    /// A failed assertion leaves its thread waiting.
    @AfterEach
    void close() {
        started.forEach(LockSupport::unpark);
        started.forEach(Thread::interrupt);
        scheduler.close();
    }

    private Thread start(Runnable body) {
        Thread thread = scheduler.threadFactory().newThread(body);
        thread.start();
        started.add(thread);
        return thread;
    }

    /// The first picture that shows the thread waiting for `blocker`.
    private static ThreadSnapshotter firstPicture(Thread thread, Object blocker) {
        return await().until(() -> ThreadSnapshotter.of(thread), it -> it != null && it.blocker() == blocker);
    }

    private static ThreadSnapshotter picture(Thread thread) {
        return Objects.requireNonNull(ThreadSnapshotter.of(thread));
    }

    @Test
    void aWaitIsAsOldAsItWasSeenAndTheNextOneStartsAnew() throws InterruptedException {
        Object blocker = new Object();
        AtomicInteger parks = new AtomicInteger();
        Thread thread = start(() -> {
            while (parks.incrementAndGet() <= 2) {
                LockSupport.park(blocker);
            }
        });
        long before = System.nanoTime();
        assertThat(firstPicture(thread, blocker).seenNanos()).isZero();
        long second = picture(thread).seenNanos();
        assertThat(second).isPositive();
        assertThat(picture(thread).seenNanos()).isGreaterThan(second).isLessThan(System.nanoTime() - before);

        LockSupport.unpark(thread);
        await().until(() -> parks.get() == 2);

        assertThat(firstPicture(thread, blocker).seenNanos()).isZero();
        LockSupport.unpark(thread);
        thread.join();
    }

    @Test
    void soIsAWaitForAMonitor() throws InterruptedException {
        Object first = new Object();
        Object second = new Object();
        Thread thread;
        synchronized (second) {
            synchronized (first) {
                thread = start(() -> {
                    synchronized (first) {
                        synchronized (second) {
                            Thread.onSpinWait();
                        }
                    }
                });
                assertThat(firstPicture(thread, first).seenNanos()).isZero();
                assertThat(picture(thread).seenNanos()).isPositive();
            }
            assertThat(firstPicture(thread, second).seenNanos()).isZero();
        }
        thread.join();
    }

    @Test
    void soIsAWaitForALock() throws InterruptedException {
        ReentrantLock first = new ReentrantLock();
        ReentrantLock second = new ReentrantLock();
        first.lock();
        second.lock();
        Thread thread = start(() -> {
            first.lock();
            second.lock();
        });
        await().until(() -> first.hasQueuedThread(thread) && thread.getState() == Thread.State.WAITING);
        assertThat(picture(thread).seenNanos()).isZero();
        assertThat(picture(thread).seenNanos()).isPositive();

        first.unlock();
        await().until(() -> second.hasQueuedThread(thread) && thread.getState() == Thread.State.WAITING);

        assertThat(picture(thread).seenNanos()).isZero();
        second.unlock();
        thread.join();
    }

    @Test
    void aSleepIsTimedFromItsBegin() throws InterruptedException {
        AtomicLong begin = new AtomicLong();
        AtomicInteger sleeps = new AtomicInteger();
        Thread thread = start(() -> {
            while (sleeps.get() < 2) {
                begin.set(System.nanoTime());
                sleeps.incrementAndGet();
                try {
                    Thread.sleep(HOUR_MILLIS);
                } catch (InterruptedException _) {
                    // the next sleep
                }
            }
        });
        for (int sleep = 1; sleep <= 2; sleep++) {
            int number = sleep;
            await().until(() -> sleeps.get() == number && thread.getState() == Thread.State.TIMED_WAITING);
            long first = picture(thread).timedNanos();
            assertThat(first).isNotNegative().isLessThanOrEqualTo(System.nanoTime() - begin.get());
            assertThat(picture(thread).timedNanos()).isGreaterThan(first);
            thread.interrupt();
        }
        thread.join();
    }

    @Test
    void aTimerIsCancelledThoughAMarkTookItsPlace() throws InterruptedException {
        Thread thread = start(() -> {
            try {
                Thread.sleep(HOUR_MILLIS);
            } catch (InterruptedException _) {
                // it ends
            }
        });
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        long field = Jdk.U.objectFieldOffset(Jdk.VIRTUAL_THREAD, "timeoutTask");
        Future<?> timer = (Future<?>) Jdk.U.getReference(thread, field);
        assertThat(timer.isDone()).isFalse();
        // As if an observer had seen it unparked, and not yet running.
        assertThat(WaitMark.seenNanos(thread, ThreadState.UNPARKED, new WaitMark(5)))
                .isZero();
        assertThat(WaitMark.seenNanos(thread, ThreadState.UNPARKED, new WaitMark(12)))
                .isEqualTo(7);
        assertThat(WaitMark.seenNanos(thread, ThreadState.PARKED, new WaitMark(13)))
                .isZero();

        thread.interrupt();
        thread.join();

        assertThat(timer.isDone()).isTrue();
    }

    @Test
    void nothingIsClaimedOfAThreadThatYielded() throws InterruptedException {
        Thread thread = start(LockSupport::park);
        await().until(() -> thread.getState() == Thread.State.WAITING);

        assertThat(WaitMark.seenNanos(thread, ThreadState.YIELDED, new WaitMark(1)))
                .isEqualTo(-1);

        LockSupport.unpark(thread);
        thread.join();
    }
}
