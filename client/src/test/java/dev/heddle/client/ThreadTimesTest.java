package dev.heddle.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ThreadTimesTest {

    private final ThreadTimes times = new ThreadTimes();

    private static GoroutineStats goroutine(
            long id, GoroutineState state, long waitNanos, long seenNanos, String... stack) {
        return new GoroutineStats(
                id,
                "worker-" + id,
                state,
                state == GoroutineState.WAITING ? "sleep" : null,
                waitNanos,
                seenNanos,
                false,
                -1,
                null,
                0,
                List.of(),
                List.of(stack),
                null,
                null,
                0);
    }

    private ThreadTime next(GoroutineStats goroutine, long nowNanos) {
        return times.next(List.of(goroutine), nowNanos).getFirst();
    }

    @Test
    void whatTheJvmKnowsExactlyIsExact() {
        ThreadTime time = next(
                goroutine(
                        3,
                        GoroutineState.WAITING,
                        7_000,
                        2_000,
                        "java.base/java.lang.Thread.sleep(Thread.java:5)",
                        "app.B.b(B.java:2)"),
                100);

        assertThat(time)
                .isEqualTo(new ThreadTime(
                        3, "worker-3", GoroutineState.WAITING, "sleep", 7_000, true, "app.B.b(B.java:2)"));
        assertThat(time.text()).isEqualTo("7.0 us");
    }

    @Test
    void otherWaitsAreLowerBoundsAndTheFirstSightSaysNothing() {
        assertThat(next(goroutine(1, GoroutineState.WAITING, -1, 0, "app.A.a(A.java:1)"), 100)
                        .text())
                .isEqualTo("?");
        assertThat(next(goroutine(1, GoroutineState.WAITING, -1, 5_000, "app.A.a(A.java:1)"), 5_100)
                        .text())
                .isEqualTo("> 5.0 us");
        assertThat(next(goroutine(1, GoroutineState.RUNNABLE, -1, 6_000, "app.A.a(A.java:1)"), 5_100)
                        .text())
                .isEqualTo("> 6.0 us");
        assertThat(next(goroutine(1, GoroutineState.RUNNABLE, -1, -1, "app.A.a(A.java:1)"), 5_100)
                        .text())
                .as("it may have yielded and run in between")
                .isEqualTo("?");
    }

    @Test
    void whatRunsHasNoTime() {
        assertThat(next(goroutine(1, GoroutineState.RUNNING, -1, -1, "app.A.a(A.java:1)"), 5_100)
                        .text())
                .isEqualTo("-");
    }

    @Test
    void aThreadThatHasNotBegunIsRunnableSinceTheFirstSample() {
        GoroutineStats notBegun = goroutine(1, GoroutineState.RUNNABLE, -1, 0);

        assertThat(next(notBegun, 1_000).text()).isEqualTo("?");
        ThreadTime later = next(notBegun, 4_000);
        assertThat(later.text()).isEqualTo("> 3.0 us");
        assertThat(later.place()).isEqualTo("(has not begun)");
        assertThat(times.next(List.of(), 5_000)).isEmpty();
        assertThat(next(notBegun, 6_000).nanos()).as("the id is seen anew").isZero();
    }

    @Test
    void eachOrderPutsItsOwnFirst() {
        List<ThreadTime> threads = times.next(
                List.of(
                        goroutine(4, GoroutineState.RUNNING, -1, -1),
                        goroutine(3, GoroutineState.WAITING, 9, 0),
                        goroutine(1, GoroutineState.RUNNABLE, -1, 2, "app.A.a(A.java:1)"),
                        goroutine(5, GoroutineState.WAITING, -1, 50),
                        goroutine(2, GoroutineState.RUNNABLE, -1, 8, "app.A.a(A.java:1)")),
                100);

        assertThat(ThreadOrder.wait.sorted(threads)).extracting(ThreadTime::id).containsExactly(5L, 3L, 2L, 1L, 4L);
        assertThat(ThreadOrder.runnable.sorted(threads))
                .extracting(ThreadTime::id)
                .containsExactly(2L, 1L, 4L, 5L, 3L);
        assertThat(ThreadOrder.name.sorted(threads)).extracting(ThreadTime::id).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(ThreadOrder.id.sorted(threads)).extracting(ThreadTime::id).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void theOrdersHaveDifferentKeys() {
        assertThat(ThreadOrder.values()).extracting(ThreadOrder::key).containsExactly('w', 'r', 'n', 'i');
    }
}
