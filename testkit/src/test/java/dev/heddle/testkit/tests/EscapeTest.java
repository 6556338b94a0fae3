package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Escapes;
import dev.heddle.testkit.FailureKind;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.ScheduleFailure;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What leaves a bubble is named, or waited for: never a false deadlock, and no jump of the clock while something
/// outside works for the test.
class EscapeTest {

    private static final Options ONCE = Options.defaults().withSchedules(1);
    private static final Options WAIT = ONCE.withEscapes(Escapes.WAIT);

    private static ScheduleFailure escapeOf(Bubble.Body body) {
        ScheduleFailure failure = catchThrowableOfType(ScheduleFailure.class, () -> Bubble.check(ONCE, body));
        assertThat(failure).as("the check fails").isNotNull();
        assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(FailureKind.ESCAPE);
        assertThat(failure.getMessage()).contains("EscapeTest.java:");
        return failure;
    }

    // ---- platform threads

    @Test
    void aPlatformThreadIsNamedWithItsLineAndTheRemedy() {
        assertThat(escapeOf(
                        _ -> Thread.ofPlatform().name("helper").start(() -> {}).join()))
                .hasMessageContaining("starts the platform thread \"helper\" at EscapeTest")
                .hasMessageContaining("Thread.ofVirtual().factory()")
                .hasMessageContaining("escapes = WAIT");
    }

    @Test
    void aSwallowedEscapeFailsAllTheSame() {
        escapeOf(_ -> {
            try {
                new Thread(() -> {}).start();
            } catch (AssertionError _) {
                // as a library might
            }
        });
    }

    @Test
    void thereIsNoJumpWhileAPlatformThreadWorks() {
        Bubble.check(WAIT, _ -> {
            CountDownLatch opened = new CountDownLatch(1);
            Thread helper = Thread.ofPlatform().start(() -> {
                LockSupport.parkNanos(20_000_000);
                opened.countDown();
            });
            assertThat(opened.await(1, TimeUnit.HOURS))
                    .as("opened before an hour had passed")
                    .isTrue();
            helper.join();
        });
    }

    @Test
    void aWaitForNothingOutsideIsStillADeadlock() {
        ScheduleFailure failure = catchThrowableOfType(
                ScheduleFailure.class,
                () -> Bubble.check(WAIT, _ -> {
                    Thread.ofPlatform().start(() -> {}).join();
                    new CountDownLatch(1).await();
                }));
        assertThat(failure.kind()).isEqualTo(FailureKind.DEADLOCK);
    }

    @Test
    void aTimerIsNamed() {
        assertThat(escapeOf(_ -> new Timer("ticker", true).schedule(task(() -> {}), 10)))
                .hasMessageContaining("\"ticker\"")
                .hasMessageContaining("ScheduledExecutorService");
    }

    @Test
    void aTimerOutsideFiresAtItsRealTime() {
        Bubble.check(WAIT, _ -> {
            CountDownLatch fired = new CountDownLatch(1);
            Timer timer = new Timer(true);
            timer.schedule(task(fired::countDown), 20);
            assertThat(fired.await(1, TimeUnit.HOURS)).isTrue();
            timer.cancel();
        });
    }

    private static TimerTask task(Runnable action) {
        return new TimerTask() {
            @Override
            public void run() {
                action.run();
            }
        };
    }

    @Test
    void aPoolOfForkJoinWorkersIsNamed() {
        escapeOf(_ -> {
            try (ForkJoinPool pool = new ForkJoinPool(2)) {
                pool.submit(() -> {}).get();
            }
        });
    }

    // ---- what stays inside

    @Test
    void aParallelStreamStaysOnItsThread() {
        Bubble.check(ONCE, _ -> {
            Thread self = Thread.currentThread();
            BlockingQueue<Thread> seen = new LinkedBlockingQueue<>();
            long sum = IntStream.range(0, 10_000)
                    .parallel()
                    .peek(_ -> seen.add(Thread.currentThread()))
                    .asLongStream()
                    .sum();
            assertThat(sum).isEqualTo(49_995_000);
            assertThat(seen).containsOnly(self);
        });
    }

    @Test
    void busyWaitingForTheClockEnds() {
        Bubble.check(ONCE, _ -> {
            long deadline = System.nanoTime() + 1_000_000;
            while (System.nanoTime() - deadline < 0) {
                Thread.onSpinWait();
            }
        });
    }

    private static volatile boolean flag;

    @Test
    void busyWaitingForAnotherThreadEnds() {
        Bubble.check(ONCE.withSchedules(20), _ -> {
            flag = false;
            Thread other = Thread.startVirtualThread(() -> flag = true);
            while (!flag) {
                Thread.onSpinWait();
            }
            other.join();
        });
    }

    @Test
    void busyWaitingForASleeperEnds() {
        Bubble.check(ONCE, _ -> {
            flag = false;
            Thread other = Thread.startVirtualThread(() -> {
                LockSupport.parkNanos(2_000_000);
                flag = true;
            });
            while (!flag) {
                assertThat(other).isNotNull();
            }
            other.join();
        });
    }

    // ---- pinned threads

    /// Its initialiser parks for a time, below a native frame.
    static final class SlowToInitialise {
        static final long NANOS = 1_000_000_000;
        static final Object DONE;

        static {
            LockSupport.parkNanos(NANOS);
            DONE = new Object();
        }
    }

    @Test
    void aPinnedTimedParkLetsTheTimePass() {
        Bubble.check(ONCE, _ -> assertThat(SlowToInitialise.DONE).isNotNull());
    }

    static final class StuckInitialiser {
        static final Object DONE;

        static {
            LockSupport.park();
            DONE = new Object();
        }
    }

    @Test
    void aPinnedParkWithoutLimitIsNamed() {
        assertThat(catchThrowableOfType(
                        ScheduleFailure.class,
                        () -> Bubble.check(
                                ONCE, _ -> assertThat(StuckInitialiser.DONE).isNotNull())))
                .hasMessageContaining("pinned");
    }

    // ---- sockets, HTTP, processes

    @Test
    void aSocketIsNamed() {
        assertThat(escapeOf(_ -> new ServerSocket(0).close())).hasMessageContaining("opens a socket");
    }

    @Test
    void socketsWorkInRealTime() {
        Bubble.check(WAIT, _ -> {
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Thread echo = Thread.startVirtualThread(() -> {
                    try (Socket accepted = server.accept()) {
                        accepted.getOutputStream()
                                .write(accepted.getInputStream().read());
                    } catch (java.io.IOException e) {
                        throw new AssertionError(e);
                    }
                });
                try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                    client.getOutputStream().write(42);
                    assertThat(client.getInputStream().read()).isEqualTo(42);
                }
                echo.join();
            }
        });
    }

    @Test
    void theHttpClientIsNamed() {
        assertThat(escapeOf(_ -> {
                    try (HttpClient client = HttpClient.newHttpClient()) {
                        client.send(
                                HttpRequest.newBuilder(URI.create("http://127.0.0.1:1/"))
                                        .build(),
                                HttpResponse.BodyHandlers.discarding());
                    }
                }))
                .hasMessageContaining("outside of the bubble");
    }

    @Test
    void aProcessIsNamed() {
        assertThat(escapeOf(_ -> new ProcessBuilder("true").start())).hasMessageContaining("starts a process");
    }

    @Test
    void aProcessIsWaitedForInRealTime() {
        Bubble.check(WAIT, _ -> {
            Process process = new ProcessBuilder("sleep", "0.05").start();
            assertThat(process.waitFor(1, TimeUnit.HOURS)).isTrue();
        });
    }

    // ---- state that outlives a schedule

    private static final BlockingQueue<String> OUTLIVES = new LinkedBlockingQueue<>();

    @Test
    void aThreadOfAnEarlierScheduleIsNamed() {
        Options noLeaks = ONCE.withLeaks(false).withSchedules(3);
        ScheduleFailure failure = catchThrowableOfType(
                ScheduleFailure.class,
                () -> Bubble.check(noLeaks, bubble -> {
                    OUTLIVES.offer("wakes the one before");
                    Thread.startVirtualThread(() -> {
                        try {
                            while (true) {
                                OUTLIVES.take();
                            }
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    });
                    bubble.settle();
                }));
        assertThat(failure).as("the check fails").isNotNull();
        assertThat(failure.getMessage()).contains("outlives the schedule");
    }
}
