package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Escapes;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.Report;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What a test sees of its bubble.
class BubbleTest {

    private static final Options ONCE = Options.defaults().withSchedules(1);

    @Test
    void anHourOfSleepTakesNoTime() {
        long before = System.nanoTime();
        Bubble.check(ONCE, _ -> {
            assertThat(Instant.now()).isEqualTo(Instant.parse("2000-01-01T00:00:00Z"));
            Thread.sleep(Duration.ofHours(1));
            assertThat(Instant.now()).isEqualTo(Instant.parse("2000-01-01T01:00:00Z"));
        });
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void theClockOutsideIsReal() {
        Bubble.check(ONCE, _ -> Thread.sleep(Duration.ofHours(1)));
        assertThat(Instant.now()).isAfter(Instant.parse("2020-01-01T00:00:00Z"));
    }

    /// Code that a bubble does not run has the JDK's clock, pools and threads, though the bubble is there.
    @Test
    void besideABubbleNothingIsChanged() {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Bubble.check(ONCE.withEscapes(Escapes.WAIT), _ -> {
            Thread outside = Thread.ofPlatform().unstarted(() -> {
                assertThat(Instant.now()).isAfter(Instant.parse("2020-01-01T00:00:00Z"));
                assertThat(new Date()).isAfter("2020-01-01");
                assertThat(Executors.defaultThreadFactory().newThread(() -> {}).isVirtual())
                        .isFalse();
                assertThat(ForkJoinPool.commonPool().getClass()).isSameAs(ForkJoinPool.class);
                assertThatThrownBy(Bubble::current).hasMessageContaining("no bubble");
            });
            outside.setUncaughtExceptionHandler((_, thrown) -> failure.set(thrown));
            outside.start();
            outside.join();
        });
        assertThat(failure).hasNullValue();
    }

    @Test
    void aBubbleIsASchedulerForHeddlesApi() {
        Bubble.check(ONCE, _ -> {
            assertThat(Scheduler.current().name()).isEqualTo("bubble");
            assertThat(Go.gomaxprocs(4)).isOne();
            assertThat(Go.gomaxprocs(0)).as("it has one carrier").isOne();
            Go.lockOSThread();
            Go.unlockOSThread();
            assertThat(Go.blocking(Go::numGoroutine)).isOne();
            try (ExecutorService executor = Scheduler.current().executor()) {
                Callable<Bubble> where = Bubble::current;
                assertThat(executor.submit(where).get()).isSameAs(Bubble.current());
            }
            Chan<Bubble> answer = Chan.make();
            Scheduler.current().go(() -> answer.send(Bubble.current()));
            assertThat(answer.receive()).isSameAs(Bubble.current());
        });
    }

    @Test
    void settleWaitsForAllOthersAndLetsNoTimePass() {
        Bubble.check(ONCE.withSchedules(50), bubble -> {
            List<String> log = new ArrayList<>();
            Thread other = Thread.startVirtualThread(() -> {
                log.add("began");
                Thread.yield();
                log.add("sleeps");
                try {
                    Thread.sleep(1000);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                log.add("ended");
            });
            bubble.settle();
            assertThat(log).containsExactly("began", "sleeps");
            assertThat(bubble.now()).isEqualTo(Instant.parse("2000-01-01T00:00:00Z"));
            bubble.advance(Duration.ofSeconds(1));
            assertThat(log).endsWith("ended");
            assertThat(bubble.now()).isEqualTo(Instant.parse("2000-01-01T00:00:01Z"));
            other.join();
        });
    }

    @Test
    void settleKeepsAnInterrupt() {
        Bubble.check(ONCE, bubble -> {
            Thread.currentThread().interrupt();
            bubble.settle();
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    @Test
    void schedulesDiffer() {
        Report report = Bubble.check(Options.defaults().withSchedules(200), _ -> threads(4));
        assertThat(report.schedules()).isEqualTo(200);
        assertThat(report.distinct()).isGreaterThan(20);
    }

    private static void threads(int count) throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(Thread.startVirtualThread(Thread::yield));
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    @Test
    void theCurrentBubbleIsKnownInsideOnly() {
        assertThatThrownBy(Bubble::current)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no bubble");
        Bubble.check(ONCE, bubble -> {
            assertThat(Bubble.current()).isSameAs(bubble);
            Thread child =
                    Thread.startVirtualThread(() -> assertThat(Bubble.current()).isSameAs(bubble));
            child.join();
            assertThat(bubble.numberOf(Thread.currentThread())).isZero();
        });
    }

    @Test
    void bubblesDoNotNest() {
        Bubble.check(
                ONCE,
                _ -> assertThatThrownBy(() -> Bubble.check(ONCE, _ -> {}))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("in a bubble"));
    }

    @Test
    void aCheckMayBeCalledOnAVirtualThread() throws InterruptedException {
        AtomicBoolean ran = new AtomicBoolean();
        Thread caller = Thread.startVirtualThread(() -> Bubble.check(ONCE, _ -> ran.set(true)));
        caller.join();
        assertThat(ran).isTrue();
    }

    @Test
    void checksRunAtTheSameTimeOnSeveralThreads() throws Exception {
        List<String> alone = Determinism.logs(7, 5, Determinism::monitors);
        List<Future<List<String>>> together = new ArrayList<>();
        try (ExecutorService callers = Executors.newFixedThreadPool(3)) {
            for (int i = 0; i < 3; i++) {
                together.add(callers.submit(() -> Determinism.logs(7, 5, Determinism::monitors)));
            }
            for (Future<List<String>> logs : together) {
                assertThat(logs.get()).isEqualTo(alone);
            }
        }
    }
}
