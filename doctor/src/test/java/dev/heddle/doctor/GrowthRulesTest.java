package dev.heddle.doctor;

import static dev.heddle.doctor.Seen.many;
import static dev.heddle.doctor.Seen.only;
import static dev.heddle.doctor.Seen.place;
import static dev.heddle.doctor.Seen.standing;
import static dev.heddle.doctor.Seen.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import app.Losses;
import app.Waiters;
import dev.heddle.internal.observe.QueueStats;
import dev.heddle.internal.observe.Surroundings;
import dev.heddle.internal.observe.WaitDetail;
import dev.heddle.stats.GoroutineStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/// The rules about chains of futures, timers and herds, each on a made-up observation that shows the cause, and on the
/// nearest ones of a healthy program.
final class GrowthRulesTest {

    private static final String STAGE =
            "java.base/java.util.concurrent.CompletableFuture$UniRun.tryFire(CompletableFuture.java:808)";

    // ---- chains of futures

    @Test
    void aChainOfFuturesThatGrowsIsNamed() throws IOException {
        Finding finding = only(chain(dump -> 100L + 60L * dump));

        assertThat(finding.cause()).isEqualTo(Cause.QUEUE_GROWS);
        assertThat(finding.evidence().getFirst()).contains("chain of futures of app.Losses$Bookings");
        assertThat(finding.evidence().get(1)).contains("app.Losses$Bookings.add");
        assertThat(finding.stack()).anyMatch(it -> it.contains("Bookings.book"));
        assertThat(finding.remedy()).contains("for each key");
    }

    @Test
    void aChainOfFuturesThatIsWorkedOffIsFine() throws IOException {
        assertThat(Doctor.examine(chain(dump -> 1_000L - 60L * dump))).isEmpty();
        assertThat(Doctor.examine(chain(dump -> 5L + dump % 3))).isEmpty();
    }

    private static Observation chain(IntToLongFunction length) throws IOException {
        Seen seen = new Seen().with(Losses.Bookings.class);
        seen.goroutines = _ -> List.of(
                waiting(1, "sleep", "app.Losses$Bookings.book(Losses.java:1)", STAGE),
                waiting(2, "sleep", "app.Losses$Bookings.book(Losses.java:1)"));
        seen.surroundings = dump -> queue(new QueueStats(
                "java.util.concurrent.CompletableFuture@1",
                "the chain of futures of app.Losses$Bookings",
                length.applyAsLong(dump),
                Integer.MAX_VALUE,
                0));
        return seen.observation();
    }

    // ---- timers that no code cancels

    @Test
    void timersThatPileUpAreNamedWithTheCodeThatSetsThem() throws IOException {
        Finding finding = only(timers("call", dump -> 500L + 60L * dump, 0));

        assertThat(finding.cause()).isEqualTo(Cause.TIMER_STORM);
        assertThat(finding.evidence()).anyMatch(it -> it.contains("set in") && it.contains("app.Losses$Calls.call"));
        assertThat(finding.stack()).anyMatch(it -> it.contains("Calls.call("));
        assertThat(finding.remedy()).contains("orTimeout");
        assertThat(only(timers("schedule", dump -> 500L + 60L * dump, 0)).stack())
                .anyMatch(it -> it.contains("Calls.schedule("));
    }

    /// They are few, they are cancelled or expire, or each belongs to a thread that has come as well.
    @Test
    void timersThatDoNotPileUpAreFine() throws IOException {
        assertThat(Doctor.examine(timers("call", dump -> 60L * dump, 0))).isEmpty();
        assertThat(Doctor.examine(timers("call", dump -> 2_000L - 60L * dump, 0)))
                .isEmpty();
        assertThat(Doctor.examine(timers("call", dump -> 500L + 60L * dump, 190)))
                .isEmpty();
        // No known code sets them.
        assertThat(Doctor.examine(timers(
                        Losses.Bookings.class, "app.Losses$Bookings.add(Losses.java:1)", dump -> 500L + 60L * dump, 0)))
                .isEmpty();
    }

    private static Observation timers(String method, IntToLongFunction number, long threadsPerSecond)
            throws IOException {
        return timers(Losses.Calls.class, place(Losses.Calls.class, method, "sleep"), number, threadsPerSecond);
    }

    private static Observation timers(Class<?> fixture, String place, IntToLongFunction number, long threadsPerSecond)
            throws IOException {
        Seen seen = new Seen().with(fixture);
        seen.livePerSecond = threadsPerSecond;
        seen.goroutines = _ -> List.of(waiting(1, "sleep", place));
        seen.surroundings = dump -> queue(new QueueStats(
                "java.util.concurrent.DelayScheduler@1",
                "the common pool",
                number.applyAsLong(dump),
                Integer.MAX_VALUE,
                0));
        return seen.observation();
    }

    /// Thousands of short sleeps: the finding says what they ask for, if they do.
    @Test
    void aStormOfSleepsSaysWhatTheSleepersAskFor() throws IOException {
        Finding finding = only(sleeps("app.Waiters$FlagPoller", place(Waiters.FlagPoller.class, "run", "sleep")));

        assertThat(finding.cause()).isEqualTo(Cause.TIMER_STORM);
        assertThat(finding.evidence().getLast()).contains("asks the field done").contains("FlagPoller.run");
        assertThat(finding.remedy()).contains("CountDownLatch.await").contains("FlagPoller.run");
        assertThat(only(sleeps("app.Ticker", "app.Ticker.tick(Ticker.java:3)")).evidence())
                .noneMatch(it -> it.contains("asks"));
    }

    /// Each of them is in one dump only: there are too many for more.
    private static Observation sleeps(String body, String place) throws IOException {
        Seen seen = new Seen().with(Waiters.FlagPoller.class);
        seen.timers = 2_000;
        seen.timersFiredPerSecond = 50_000;
        seen.goroutines =
                dump -> many(1 + 5L * dump, 6 + 5L * dump, id -> waiting(id, "sleep", place, body + ".run(A.java:1)"));
        seen.surroundings = dump -> new Surroundings(
                List.of(),
                many(1 + 5L * dump, 6 + 5L * dump, id -> waiting(id, "sleep", place)).stream()
                        .map(it -> new WaitDetail(it.id(), 1_000_000, 0, null, -1, -1))
                        .toList(),
                List.of());
        return seen.observation();
    }

    // ---- herds of which a dump shows a part

    private static final String WAIT = "java.base/java.lang.Object.wait(Object.java:351)";

    /// The line of the condition is too long to be read, but the marks of the waiters are gone.
    @Test
    void aHerdIsKnownByTheMarksOfItsWaiters() throws IOException {
        Finding finding = only(herd(0));

        assertThat(finding.cause()).isEqualTo(Cause.THUNDERING_HERD);
        assertThat(finding.remedy()).contains("condition or a future of its own");
    }

    @Test
    void waitersThatKeepTheirMarksAreNoHerd() throws IOException {
        assertThat(Doctor.examine(herd(190_000_000L))).isEmpty();
        assertThat(Doctor.examine(herd(-1))).isEmpty();
    }

    /// Herds do not come from a slow start.
    private static Observation herd(long seenNanos) throws IOException {
        String place = place(Waiters.Herd.class, "run", "wait");
        Seen seen = new Seen().with(Waiters.Herd.class);
        seen.classesLoaded = sample -> 1_000L * sample;
        seen.goroutines = _ -> {
            List<GoroutineStats> all = new ArrayList<>();
            all.addAll(many(1, 200, id -> standing(id, seenNanos, "C@1", "sync.Cond.Wait", WAIT, place)));
            return all;
        };
        return seen.observation();
    }

    private static Surroundings queue(QueueStats queue) {
        return new Surroundings(List.of(queue), List.of(), List.of());
    }
}
