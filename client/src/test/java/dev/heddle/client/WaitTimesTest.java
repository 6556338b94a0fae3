package dev.heddle.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitTimesTest {

    private final WaitTimes waits = new WaitTimes();

    private static GoroutineStats goroutine(long id, GoroutineState state, long nanos, String... stack) {
        return new GoroutineStats(
                id, "", state, "sleep", nanos, false, -1, null, 0, List.of(), List.of(stack), null, null, 0);
    }

    @Test
    void theLongestIsFirstAndWhatRunsIsNotThere() {
        List<WaitTimes.Wait> found = waits.look(
                List.of(
                        goroutine(1, GoroutineState.WAITING, 5, "app.A.a(A.java:1)"),
                        goroutine(2, GoroutineState.RUNNING, -1, "app.A.a(A.java:1)"),
                        goroutine(
                                3,
                                GoroutineState.WAITING,
                                7,
                                "java.base/java.lang.Thread.sleep(Thread.java:5)",
                                "app.B.b(B.java:2)")),
                100);

        assertThat(found)
                .containsExactly(
                        new WaitTimes.Wait(3, 7, true, "sleep", "app.B.b(B.java:2)"),
                        new WaitTimes.Wait(1, 5, true, "sleep", "app.A.a(A.java:1)"));
    }

    @Test
    void aWaitThatIsNotTimedIsAsOldAsItWasSeenInTheSamePlace() {
        GoroutineStats here = goroutine(1, GoroutineState.WAITING, -1, "app.A.a(A.java:1)");
        GoroutineStats there = goroutine(1, GoroutineState.WAITING, -1, "app.A.a(A.java:9)");

        assertThat(waits.look(List.of(here), 100).getFirst().nanos()).isZero();
        assertThat(waits.look(List.of(here), 150).getFirst().nanos()).isEqualTo(50);
        assertThat(waits.look(List.of(there), 170).getFirst().nanos()).isZero();
        assertThat(waits.look(List.of(there), 180).getFirst())
                .isEqualTo(new WaitTimes.Wait(1, 10, false, "sleep", "app.A.a(A.java:9)"));
        assertThat(waits.look(List.of(), 190)).isEmpty();
        assertThat(waits.look(List.of(there), 200).getFirst().nanos()).isZero();
    }

    @Test
    void timesAreInTheUnitThatFits() {
        assertThat(List.of(999L, 1_500L, 2_500_000L, 3_500_000_000L, 190_000_000_000L, 7_500_000_000_000L))
                .extracting(TopView::time)
                .containsExactly("999 ns", "1.5 us", "2.5 ms", "3.5 s", "3m10s", "2h5m");
    }
}
