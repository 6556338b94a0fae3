package dev.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The monitor that a virtual thread waits on in `Object.wait`.
final class MonitorWaitTest {

    private static final int UNTIL_COMPILED = 20_000;

    private final Scheduler scheduler = Scheduler.builder().procs(2).build();
    private final Object monitor = new Object();
    private final CountDownLatch warm = new CountDownLatch(1);

    private final List<Thread> started = new ArrayList<>();

    /// The threads wait until they are interrupted.
    @AfterEach
    void close() {
        started.forEach(Thread::interrupt);
        scheduler.close();
    }

    /// As soon as `Object.wait` is compiled, the JVM no longer tells the monitor.
    @Test
    void theMonitorIsKnownThoughTheWaitIsCompiled() {
        Thread thread = start(() -> {
            synchronized (monitor) {
                for (int i = 0; i < UNTIL_COMPILED; i++) {
                    Thread.currentThread().interrupt();
                    waitOn(monitor); // ends at once
                }
                warm.countDown();
                waitOn(monitor);
            }
        });
        await().until(() -> warm.getCount() == 0 && thread.getState() == Thread.State.WAITING);

        assertThat(picture(thread).blocker()).isSameAs(monitor);
    }

    @Test
    void theOnlyMonitorThatTheThreadHasEnteredIsTheOneAndOfTwoNoneIs() {
        Object other = new Object();

        assertThat(ThreadSnapshotter.onlyOneOf(List.of(monitor, monitor))).isSameAs(monitor);
        assertThat(ThreadSnapshotter.onlyOneOf(List.of(monitor, other))).isNull();
        assertThat(ThreadSnapshotter.onlyOneOf(List.of())).isNull();
    }

    /// A sleeping thread keeps its monitor, and waits for none.
    @Test
    void aThreadThatSleepsWithAMonitorDoesNotWaitOnIt() {
        Thread thread = start(() -> {
            synchronized (monitor) {
                try {
                    Thread.sleep(3_600_000);
                } catch (InterruptedException _) {
                    // it ends
                }
            }
        });
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

        ThreadSnapshotter picture = picture(thread);
        assertThat(picture.monitors()).contains(monitor);
        assertThat(picture.blocker()).isNotSameAs(monitor);
    }

    private Thread start(Runnable body) {
        Thread thread = scheduler.threadFactory().newThread(body);
        thread.start();
        started.add(thread);
        return thread;
    }

    @SuppressWarnings("WaitNotInLoop") // the test ends the wait by an interrupt
    private static void waitOn(Object monitor) {
        try {
            monitor.wait();
        } catch (InterruptedException _) {
            // it ends
        }
    }

    private static ThreadSnapshotter picture(Thread thread) {
        return Objects.requireNonNull(ThreadSnapshotter.of(thread));
    }
}
