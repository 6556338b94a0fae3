package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.ScheduleFailure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/// Faults come from the seed, find code that does not expect them, and are repeated by the replay.
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // what faults are to find
class FaultsTest {

    private static final Options OPTIONS = Options.defaults().withSchedules(300);

    private static void requireFoundAndRepeated(Bubble.Body body) {
        ScheduleFailure failure = catchThrowableOfType(ScheduleFailure.class, () -> Bubble.check(OPTIONS, body));
        assertThat(failure).as("the check fails").isNotNull();
        assertThat(catchThrowableOfType(
                        ScheduleFailure.class, () -> Bubble.check(OPTIONS.withReplay(failure.replayCode()), body)))
                .as("the replay fails")
                .isNotNull();
    }

    /// Takes one return of the park for the signal.
    private static void parkOnce(Bubble bubble, boolean withFaults) throws InterruptedException {
        if (withFaults) {
            bubble.faults().spuriousWakeUps(3);
        }
        AtomicBoolean isReady = new AtomicBoolean();
        Thread waiter = Thread.startVirtualThread(() -> {
            LockSupport.park();
            if (!isReady.get()) {
                throw new IllegalStateException("woken for no reason");
            }
        });
        bubble.settle();
        Thread.yield();
        Thread.yield();
        isReady.set(true);
        LockSupport.unpark(waiter);
        waiter.join();
    }

    @Test
    void spuriousWakeUps() {
        requireFoundAndRepeated(bubble -> parkOnce(bubble, true));
        Bubble.check(OPTIONS, bubble -> parkOnce(bubble, false));
    }

    /// Takes one return of `Object.wait` for the notification.
    private static void waitOnce(Bubble bubble, boolean withFaults) throws InterruptedException {
        if (withFaults) {
            bubble.faults().spuriousWakeUps(3);
        }
        AtomicBoolean isReady = new AtomicBoolean();
        Thread waiter = Thread.startVirtualThread(() -> {
            synchronized (isReady) {
                try {
                    isReady.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                if (!isReady.get()) {
                    throw new IllegalStateException("woken for no reason");
                }
            }
        });
        bubble.settle();
        Thread.yield();
        Thread.yield();
        synchronized (isReady) {
            isReady.set(true);
            isReady.notifyAll();
        }
        waiter.join();
    }

    @Test
    void spuriousWakeUpsOfObjectWait() {
        requireFoundAndRepeated(bubble -> waitOnce(bubble, true));
        Bubble.check(OPTIONS, bubble -> waitOnce(bubble, false));
    }

    @Test
    void interrupts() {
        requireFoundAndRepeated(bubble -> {
            bubble.faults().interrupts(3);
            CountDownLatch latch = new CountDownLatch(1);
            Thread waiter = Thread.startVirtualThread(() -> {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("not prepared for an interrupt", e);
                }
            });
            bubble.settle();
            Thread.yield();
            latch.countDown();
            waiter.join();
        });
    }

    @Test
    void lateTimers() {
        requireFoundAndRepeated(bubble -> {
            bubble.faults().lateTimers(2, Duration.ofSeconds(10));
            long before = System.nanoTime();
            Thread.sleep(1000);
            assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(2));
        });
    }

    @Test
    void slowThreads() {
        requireFoundAndRepeated(bubble -> {
            bubble.faults().slowThreads(2, Duration.ofSeconds(10));
            ReentrantLock lock = new ReentrantLock();
            Condition answered = lock.newCondition();
            Thread server = Thread.startVirtualThread(() -> {
                LockSupport.parkNanos(1000);
                lock.lock();
                answered.signal();
                lock.unlock();
            });
            lock.lock();
            assertThat(answered.await(1, TimeUnit.SECONDS))
                    .as("answered in time")
                    .isTrue();
            lock.unlock();
            server.join();
        });
    }

    /// Only a thread that was woken is slow: not the test itself, nor a thread that yields. And it goes on.
    @Test
    void whoIsSlow() {
        Bubble.check(OPTIONS, bubble -> {
            bubble.faults().slowThreads(1, Duration.ofSeconds(10));
            long before = System.nanoTime();
            Thread.sleep(1000);
            assertThat(System.nanoTime() - before).as("the test itself").isEqualTo(TimeUnit.SECONDS.toNanos(1));
            Thread other = Thread.startVirtualThread(() -> {
                LockSupport.parkNanos(1000);
                LockSupport.parkNanos(1000);
                long beforeYield = System.nanoTime();
                Thread.yield();
                assertThat(System.nanoTime()).as("a thread that yields").isEqualTo(beforeYield);
            });
            other.join();
        });
    }
}
