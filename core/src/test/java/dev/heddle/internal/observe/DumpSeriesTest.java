package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

    /// The thread that runs the first stage has the others behind it.
    @Test
    void aChainOfFuturesIsAQueueOfItsStages() {
        var end = new CountDownLatch(1);
        try (Scheduler scheduler = Scheduler.builder().name("chain").procs(2).build();
                LetGo _ = end::countDown) {
            CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
            for (int i = 0; i < 11; i++) {
                last = last.thenRunAsync(() -> awaitEnd(end), scheduler.executor());
            }
            DumpSeries series = new DumpSeries(kernel("chain"));

            Awaitility.await()
                    .untilAsserted(() -> assertThat(series.next().surroundings().queues())
                            .filteredOn(it -> it.holder().contains("DumpSeriesTest"))
                            .extracting(QueueStats::holder, QueueStats::size)
                            .containsExactly(tuple("the chain of futures of " + DumpSeriesTest.class.getName(), 10L)));
        }
    }

    private static void awaitEnd(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void tasksThatWaitForTheirTimeAreCounted() {
        List<CompletableFuture<String>> limited = new ArrayList<>();
        try (Scheduler _ = Scheduler.builder().name("delayed").procs(2).build();
                LetGo _ = () -> limited.forEach(it -> it.complete(""))) { // which cancels the time limits
            for (int i = 0; i < 7; i++) {
                limited.add(new CompletableFuture<String>().orTimeout(1, TimeUnit.HOURS));
            }
            DumpSeries series = new DumpSeries(kernel("delayed"));

            Awaitility.await()
                    .until(() -> series.next().surroundings().queues().stream()
                            .anyMatch(it -> it.id().contains("DelayScheduler") && it.size() >= 7));
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
