package dev.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Objects;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is late in a timer whose only thread is occupied.
final class DueTasksTest {

    private static final int LATE_MILLIS = 20;
    private static final int HOUR_MILLIS = 3_600_000;

    private final CountDownLatch occupied = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicReference<Thread> timerThread = new AtomicReference<>();

    @AfterEach
    void free() {
        release.countDown();
    }

    /// Runs on the only thread of a timer until the test has ended.
    private void occupy() {
        timerThread.set(Thread.currentThread());
        occupied.countDown();
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void onlyTheDueTaskOfAnExecutorIsLate() throws InterruptedException {
        try (var executor = new ScheduledThreadPoolExecutor(1);
                End _ = release::countDown) { // close waits for the task
            executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
            executor.execute(this::occupy);
            occupied.await();
            executor.schedule(() -> {}, 0, TimeUnit.MILLISECONDS).cancel(false);
            executor.schedule(() -> {}, HOUR_MILLIS, TimeUnit.MILLISECONDS);
            assertThat(DueTasks.of(executor)).isEqualTo(new DueTasks(0, 0));

            executor.schedule(() -> {}, 0, TimeUnit.MILLISECONDS);

            await().until(() -> DueTasks.of(executor).lateMillis() >= LATE_MILLIS);
            assertThat(DueTasks.of(executor).count()).isEqualTo(1);
            assertThat(ThreadPools.queuedIn(executor)).isEqualTo(1);
            assertThat(ThreadPools.lateMillisOf(executor)).isBetween((long) LATE_MILLIS, (long) HOUR_MILLIS);
        }
    }

    private interface End extends AutoCloseable {
        @Override
        void close();
    }

    @Test
    void anExecutorThatIsNoTimerIsNeverLate() {
        var executor = new ThreadPoolExecutor(0, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        try (executor) {
            assertThat(ThreadPools.lateMillisOf(executor)).isEqualTo(-1);
        }
    }

    @Test
    void onlyTheDueTaskOfATimerIsLate() throws InterruptedException {
        Timer timer = new Timer("occupied", /* isDaemon= */ true);
        timer.schedule(task(this::occupy), 0);
        occupied.await();
        Object queue = ThreadPools.poolOf(Objects.requireNonNull(timerThread.get()));
        assertThat(queue).isNotNull();
        TimerTask cancelled = task(() -> {});
        timer.schedule(cancelled, 0);
        cancelled.cancel();
        timer.schedule(task(() -> {}), HOUR_MILLIS);
        TimerTask due = task(() -> {});
        timer.schedule(due, 0);

        await().until(() -> DueTasks.ofTimer(queue).lateMillis() >= LATE_MILLIS);

        assertThat(ThreadPools.queuedIn(queue)).isEqualTo(1);
        assertThat(ThreadPools.lateMillisOf(queue)).isBetween((long) LATE_MILLIS, (long) HOUR_MILLIS);
        assertThat(ThreadPools.sizeOf(queue)).isEqualTo(1);
        assertThat(ThreadPools.limitOf(queue)).isEqualTo(1);
        due.cancel();
        assertThat(DueTasks.ofTimer(queue)).isEqualTo(new DueTasks(0, 0));
        timer.cancel();
    }

    private static TimerTask task(Runnable body) {
        return new TimerTask() {
            @Override
            public void run() {
                body.run();
            }
        };
    }
}
