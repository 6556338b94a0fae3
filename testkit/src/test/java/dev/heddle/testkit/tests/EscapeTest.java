package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Escapes;
import dev.heddle.testkit.FailureKind;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.ScheduleFailure;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// What leaves a bubble is named, or waited for: never a false deadlock, and no jump of the clock while something
/// outside works for the test.
class EscapeTest {

    private static final Options ONCE = Options.defaults().withSchedules(1);
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
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

    /// Heddle's own machines are platform threads.
    @Test
    void aSchedulerOfItsOwnIsNamed() {
        assertThat(escapeOf(_ -> Scheduler.builder().procs(1).name("second").build()))
                .hasMessageContaining("starts the platform thread");
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

    /// Runs code that cannot unmount.
    private static void pinned(Pinned code) throws InterruptedException {
        Jdk.pin();
        try {
            code.run();
        } finally {
            Jdk.unpin();
        }
    }

    private interface Pinned {
        void run() throws InterruptedException;
    }

    @SuppressWarnings("WaitNotInLoop") // what ends the wait is what is tested
    private static void waitFor(Object monitor, long millis) throws InterruptedException {
        synchronized (monitor) {
            monitor.wait(millis);
        }
    }

    @Test
    void aPinnedTimedParkLetsTheTimePass() {
        Bubble.check(ONCE, _ -> {
            long before = System.nanoTime();
            pinned(() -> LockSupport.parkNanos(HOUR_NANOS));
            assertThat(System.nanoTime() - before).isEqualTo(HOUR_NANOS);
        });
    }

    @Test
    void aPinnedTimedObjectWaitLetsTheTimePass() {
        Bubble.check(ONCE, _ -> {
            long before = System.nanoTime();
            pinned(() -> waitFor(new Object(), TimeUnit.NANOSECONDS.toMillis(HOUR_NANOS)));
            assertThat(System.nanoTime() - before).isEqualTo(HOUR_NANOS);
        });
    }

    static final class ParksInItsInitialiser {
        static final Object DONE;

        static {
            LockSupport.park();
            DONE = new Object();
        }
    }

    @Test
    void aPinnedParkWithoutLimitIsNamed() {
        assertThat(escapeOf(_ -> assertThat(ParksInItsInitialiser.DONE).isNotNull()))
                .hasMessageContaining("parks while it is pinned, at EscapeTest$ParksInItsInitialiser.<clinit>")
                .hasMessageContaining("do not wait in a class initialiser or below a native frame");
    }

    static final class WaitsInItsInitialiser {
        static final Object DONE = new Object();

        static {
            try {
                waitFor(DONE, 0);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void aPinnedObjectWaitWithoutLimitIsNamed() {
        assertThat(escapeOf(_ -> assertThat(WaitsInItsInitialiser.DONE).isNotNull()))
                .hasMessageContaining("waits in Object.wait while it is pinned, at EscapeTest.waitFor")
                .hasMessageContaining("do not wait in a class initialiser or below a native frame");
    }

    /// What the JDK checks first, and an interrupt, are its business.
    @Test
    void aPinnedObjectWaitThatDoesNotWaitIsTheJdks() {
        Bubble.check(
                ONCE,
                _ -> pinned(() -> {
                    Object monitor = new Object();
                    assertThatThrownBy(() -> monitor.wait(1)).isInstanceOf(IllegalMonitorStateException.class);
                    assertThatThrownBy(() -> waitFor(monitor, -1)).isInstanceOf(IllegalArgumentException.class);
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(() -> waitFor(monitor, 0)).isInstanceOf(InterruptedException.class);
                }));
    }

    @Test
    void aPlatformThreadMayEndAPinnedPark() {
        Bubble.check(WAIT, _ -> {
            Thread self = Thread.currentThread();
            AtomicBoolean isDone = new AtomicBoolean();
            Thread helper = Thread.ofPlatform().start(() -> {
                LockSupport.parkNanos(20_000_000);
                isDone.set(true);
                LockSupport.unpark(self);
            });
            long before = System.nanoTime();
            pinned(() -> {
                while (!isDone.get()) {
                    LockSupport.parkNanos(HOUR_NANOS);
                }
            });
            pinned(helper::join);
            assertThat(System.nanoTime() - before)
                    .as("followed real time")
                    .isPositive()
                    .isLessThan(HOUR_NANOS);
        });
    }

    @Test
    void aPlatformThreadMayInterruptAPinnedPark() {
        Bubble.check(WAIT, _ -> {
            Thread self = Thread.currentThread();
            Thread helper = Thread.ofPlatform().start(() -> {
                LockSupport.parkNanos(20_000_000);
                self.interrupt();
            });
            pinned(LockSupport::park);
            assertThat(Thread.interrupted()).isTrue();
            helper.join();
        });
    }

    @Test
    void aPlatformThreadMayEndAPinnedObjectWait() {
        Bubble.check(WAIT, _ -> {
            AtomicBoolean isDone = new AtomicBoolean();
            Thread helper = Thread.ofPlatform().start(() -> {
                LockSupport.parkNanos(20_000_000);
                synchronized (isDone) {
                    isDone.set(true);
                    isDone.notifyAll();
                }
            });
            long before = System.nanoTime();
            pinned(() -> {
                synchronized (isDone) {
                    while (!isDone.get()) {
                        isDone.wait(TimeUnit.HOURS.toMillis(1));
                    }
                }
            });
            helper.join();
            assertThat(System.nanoTime() - before)
                    .as("followed real time")
                    .isPositive()
                    .isLessThan(HOUR_NANOS);
        });
    }

    @Test
    void aPinnedParkThatNothingEndsIsNamedThoughAThreadWasOutside() {
        ScheduleFailure failure = catchThrowableOfType(
                ScheduleFailure.class,
                () -> Bubble.check(WAIT, _ -> {
                    Thread.ofPlatform().start(() -> {});
                    pinned(LockSupport::park);
                }));
        assertThat(failure).hasMessageContaining("parks while it is pinned");
    }

    // ---- sockets, HTTP, processes

    @TestFactory
    Stream<DynamicTest> aSocketIsNamed() {
        Map<String, Bubble.Body> sockets = Map.of(
                "ServerSocket", _ -> new ServerSocket(0).close(),
                "Socket", _ -> new Socket(InetAddress.getLoopbackAddress(), 1).close(),
                "DatagramSocket", _ -> new DatagramSocket().close(),
                "SocketChannel", _ -> SocketChannel.open().close(),
                "DatagramChannel", _ -> DatagramChannel.open().close(),
                "Unix domain socket",
                        _ -> SocketChannel.open(StandardProtocolFamily.UNIX).close());
        return sockets.entrySet().stream()
                .map(socket -> DynamicTest.dynamicTest(
                        socket.getKey(),
                        () -> assertThat(escapeOf(socket.getValue())).hasMessageContaining("opens a socket")));
    }

    @Test
    void socketsWorkInRealTime() {
        Bubble.check(WAIT, _ -> {
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Thread echo = Thread.startVirtualThread(() -> {
                    try (Socket accepted = server.accept()) {
                        accepted.getOutputStream()
                                .write(accepted.getInputStream().read());
                    } catch (IOException e) {
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
    void aTimeLimitOfASocketIsInRealTime() {
        Bubble.check(WAIT, _ -> {
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                server.setSoTimeout(20);
                long before = System.nanoTime();
                assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
                assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(20_000_000);
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
    void theHttpClientWorksInRealTime() {
        Bubble.check(WAIT, _ -> {
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    HttpClient client = HttpClient.newHttpClient()) {
                Thread one = Thread.startVirtualThread(() -> answerOnce(server));
                URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
                HttpRequest request =
                        HttpRequest.newBuilder(uri).timeout(Duration.ofHours(1)).build();
                assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                                .body())
                        .isEqualTo("hello");
                one.join();
            }
        });
    }

    private static void answerOnce(ServerSocket server) {
        try (Socket accepted = server.accept()) {
            byte[] request = new byte[1000];
            assertThat(accepted.getInputStream().read(request)).isPositive();
            String answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
            accepted.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
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
