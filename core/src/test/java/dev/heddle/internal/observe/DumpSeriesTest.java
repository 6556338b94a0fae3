package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.kernel.Inspector;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.management.Schedulers;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class DumpSeriesTest {

    private interface LetGo extends AutoCloseable {
        @Override
        void close();
    }

    private static final int SENDS = 100;

    private final Chan<Integer> first = Chan.make();
    private final Chan<Integer> second = Chan.make();

    /// Before the scheduler is closed, which waits for all goroutines: also those of a test that has failed.
    private void letGo() {
        first.close();
        second.close();
    }

    @Test
    void aGoroutineThatStillWaitsIsNotReadAgain() {
        try (Scheduler scheduler = Scheduler.builder().name("still").procs(2).build();
                LetGo _ = this::letGo) {
            scheduler.go(first::receive);
            DumpSeries series = new DumpSeries(kernel("still"));

            GoroutineStats before = onlyWaiter(series, "chan receive");
            GoroutineStats after = only(series);

            assertThat(after.stack()).isSameAs(before.stack());
            assertThat(after.waitNanos()).isGreaterThanOrEqualTo(before.waitNanos());
            assertThat(after).isEqualTo(before.withWaitNanos(after.waitNanos()));
        }
    }

    @Test
    void aGoroutineThatWaitsElsewhereIsReadAgain() throws InterruptedException {
        try (Scheduler scheduler = Scheduler.builder().name("moves").procs(2).build();
                LetGo _ = this::letGo) {
            scheduler.go(() -> {
                first.receive();
                second.send(1);
            });
            DumpSeries series = new DumpSeries(kernel("moves"));

            onlyWaiter(series, "chan receive");
            first.send(1);

            assertThat(onlyWaiter(series, "chan send").stack()).anyMatch(it -> it.contains("Chan.send"));
            second.receive();
            Awaitility.await().until(() -> next(series).isEmpty());
        }
    }

    /// A wait is over as soon as another thread has ended it, although the waiter keeps its record until it
    /// runs.
    @Test
    void aThreadThatHasBeenMadeRunnableDoesNotWait() {
        List<GoroutineStats> stale = Collections.synchronizedList(new ArrayList<>());
        try (Scheduler scheduler = Scheduler.builder().name("wakes").procs(1).build()) {
            scheduler.go(() -> {
                while (first.receive() != null) {
                    // only waits
                }
            });
            DumpSeries series = new DumpSeries(kernel("wakes"));
            scheduler.go(
                    () -> { // on the only processor: the receiver does not run before the second look
                        for (int i = 0; i < SENDS; i++) {
                            Go.gosched();
                            List<GoroutineStats> before = next(series);
                            first.send(i);
                            next(series).stream()
                                    .filter(it -> it.state() == GoroutineState.WAITING
                                            && before.stream()
                                                    .anyMatch(old -> Objects.equals(old.blocker(), it.blocker())))
                                    .forEach(stale::add);
                        }
                        first.close();
                    });
        }
        assertThat(stale).isEmpty();
    }

    @Test
    void manyAreLookedAtInSeveralDumps() {
        try (Scheduler scheduler = Scheduler.builder().name("many").procs(2).build();
                LetGo _ = this::letGo) {
            for (int i = 0; i < 1_500; i++) {
                scheduler.go(first::receive);
            }
            Awaitility.await().until(() -> new Schedulers().snapshot("many").waiting() == 1_500);
            DumpSeries series = new DumpSeries(kernel("many"));

            Dump one = series.next();
            Dump two = series.next();

            assertThat(one.goroutines()).hasSize(1_000);
            assertThat(one.complete()).isFalse();
            assertThat(two.goroutines()).hasSize(1_500);
            assertThat(two.complete()).isTrue();
        }
    }

    private static GoroutineStats onlyWaiter(DumpSeries series, String reason) {
        Awaitility.await().until(() -> next(series).stream().anyMatch(it -> Objects.equals(reason, it.waitReason())));
        return only(series);
    }

    private static GoroutineStats only(DumpSeries series) {
        List<GoroutineStats> all = next(series);
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    private static List<GoroutineStats> next(DumpSeries series) {
        return series.next().goroutines();
    }

    private static Kernel kernel(String scheduler) {
        return Inspector.kernels().stream()
                .filter(it -> it.name().equals(scheduler))
                .findFirst()
                .orElseThrow();
    }
}
