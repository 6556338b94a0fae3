package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.Go;
import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.FailureKind;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.ScheduleFailure;
import dev.heddle.testkit.Strategy;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Each kind of failure is recognised, and told in a sentence.
class FailureTest {

    private static final Options OPTIONS = Options.defaults().withSchedules(200);

    private static ScheduleFailure failureOf(Options options, Bubble.Body body) {
        ScheduleFailure failure = catchThrowableOfType(ScheduleFailure.class, () -> Bubble.check(options, body));
        assertThat(failure).as("the check fails").isNotNull();
        return failure;
    }

    private static ScheduleFailure failureOf(Bubble.Body body) {
        return failureOf(OPTIONS, body);
    }

    @Test
    void anAssertionOfTheTest() {
        ScheduleFailure failure = failureOf(_ -> assertThat(1).isEqualTo(2));
        assertThat(failure.kind()).isEqualTo(FailureKind.TEST);
        assertThat(failure).hasMessageContaining("the test failed: AssertionFailedError: expected: 2 but was: 1");
        assertThat(failure.getCause()).isInstanceOf(AssertionError.class);
    }

    @Test
    void anExceptionInAnyThread() {
        ScheduleFailure failure = failureOf(_ -> Thread.ofVirtual()
                .name("worker")
                .start(() -> {
                    throw new IllegalStateException("broken");
                })
                .join());
        assertThat(failure.kind()).isEqualTo(FailureKind.THREAD);
        assertThat(failure).hasMessageContaining("#1 worker ended with IllegalStateException: broken");
    }

    @Test
    void anExceptionInAGoroutine() {
        ScheduleFailure failure = failureOf(bubble -> {
            Go.go(() -> {
                throw new IllegalStateException("broken");
            });
            bubble.settle();
        });
        assertThat(failure.kind()).isEqualTo(FailureKind.THREAD);
    }

    @Test
    void aThreadWithItsOwnHandlerDoesNotFailTheTest() {
        Bubble.check(OPTIONS, _ -> {
            CompletableFuture<Throwable> seen = new CompletableFuture<>();
            Thread thread = Thread.ofVirtual().unstarted(() -> {
                throw new IllegalStateException("broken");
            });
            thread.setUncaughtExceptionHandler((_, thrown) -> seen.complete(thrown));
            thread.start();
            assertThat(seen.get()).hasMessage("broken");
        });
    }

    @Test
    void aDeadlockOfMonitorsNamesHoldersAndWaiters() {
        ScheduleFailure failure = failureOf(_ -> {
            Object a = new Object();
            Object b = new Object();
            Thread one = Thread.startVirtualThread(() -> nested(a, b));
            Thread two = Thread.startVirtualThread(() -> nested(b, a));
            one.join();
            two.join();
        });
        assertThat(failure.kind()).isEqualTo(FailureKind.DEADLOCK);
        assertThat(failure.getMessage())
                .contains("deadlock: all 3 threads wait and no timer is set")
                .containsPattern(
                        "#1 .*blocks +at FailureTest.nested\\(FailureTest.java:\\d+\\) for Object-\\d of #2, holds Object-\\d")
                .containsPattern("#2 .*for Object-\\d of #1, holds Object-\\d");
        assertThat(failure.replayCode().split(",")).as("few switches").hasSizeLessThanOrEqualTo(3);
    }

    private static void nested(Object outer, Object inner) {
        synchronized (outer) {
            synchronized (inner) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aThreadThatOutlivesTheTest() {
        Bubble.Body body = _ -> Thread.startVirtualThread(() -> await(new CountDownLatch(1)));
        ScheduleFailure failure = failureOf(body);
        assertThat(failure.kind()).isEqualTo(FailureKind.LEAK);
        assertThat(failure).hasMessageContaining("1 thread is left at the end of the test, and nothing will wake them");
        assertThat(Bubble.check(OPTIONS.withLeaks(false), body).schedules()).isEqualTo(200);
    }

    @Test
    void aThreadThatWorksForEver() {
        ScheduleFailure failure = failureOf(_ -> Thread.startVirtualThread(() -> {
            while (true) {
                try {
                    Thread.sleep(1000);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }));
        assertThat(failure.kind()).isEqualTo(FailureKind.LEAK);
        assertThat(failure).hasMessageContaining("still at work");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aTestThatNeverEnds() {
        ScheduleFailure failure = failureOf(OPTIONS.withMaxSteps(500), _ -> {
            while (true) {
                Thread.yield();
            }
        });
        assertThat(failure.kind()).isEqualTo(FailureKind.LIVELOCK);
        assertThat(failure).hasMessageContaining("did not end within 500 steps (maxSteps)");
    }

    @Test
    void stateThatOutlivesTheScheduleIsNotReproducible() {
        AtomicInteger outlives = new AtomicInteger();
        ScheduleFailure failure = failureOf(_ -> {
            for (int i = 0; i < outlives.get(); i++) {
                Thread.startVirtualThread(() -> {}).join();
            }
            outlives.incrementAndGet();
        });
        assertThat(failure.kind()).isEqualTo(FailureKind.NOT_REPRODUCIBLE);
        assertThat(failure).hasMessageContaining("static field");
    }

    @Test
    void theSearchOfAllSchedulesNoticesChance() {
        AtomicInteger chance = new AtomicInteger();
        ScheduleFailure failure = failureOf(OPTIONS.withStrategy(Strategy.EXHAUSTIVE), _ -> {
            int extra = chance.incrementAndGet() % 3;
            Set<Thread> threads = new HashSet<>();
            for (int i = 0; i < 2 + extra; i++) {
                threads.add(Thread.startVirtualThread(Thread::yield));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        });
        assertThat(failure.kind()).isEqualTo(FailureKind.NOT_REPRODUCIBLE);
        assertThat(failure.getMessage()).containsPattern("step \\d+ had \\d threads to choose from, now \\d");
    }

    @Test
    void aFailureOfTheFirstRunOnlyIsNotReproducible() {
        AtomicInteger runs = new AtomicInteger();
        ScheduleFailure failure =
                failureOf(_ -> assertThat(runs.incrementAndGet()).isNotEqualTo(1));
        assertThat(failure.kind()).isEqualTo(FailureKind.NOT_REPRODUCIBLE);
        assertThat(failure).hasMessageContaining("the first run failed");
    }

    @Test
    void aReplayCodeThatIsNoneIsRefused() {
        assertThat(catchThrowableOfType(
                        IllegalArgumentException.class, () -> Bubble.check(OPTIONS.withReplay("often"), _ -> {})))
                .hasMessage("replay=often is refused: it must be a code that a failure has printed, as 1:4=2,6=1.");
    }

    @Test
    void aMinimisedReplayFailsEveryTime() {
        Bubble.Body body = _ -> {
            int[] count = new int[1];
            Thread one = Thread.startVirtualThread(() -> count[0]++);
            Thread two = Thread.startVirtualThread(() -> count[0]++);
            one.join();
            two.join();
            assertThat(count[0]).isEqualTo(2);
        };
        String code = failureOf(body).replayCode();
        for (int i = 0; i < 100; i++) {
            assertThat(failureOf(OPTIONS.withReplay(code), body).kind()).isEqualTo(FailureKind.TEST);
        }
    }
}
