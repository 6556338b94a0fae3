package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.WaitGroup;
import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.Report;
import dev.heddle.testkit.ScheduleFailure;
import dev.heddle.testkit.Strategy;
import dev.heddle.testkit.Time;
import dev.heddle.testkit.internal.weave.Points;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What each strategy promises.
@SuppressWarnings("LockNotBeforeTry") // nothing between can throw
class StrategyTest {

    private static final Options OPTIONS = Options.defaults().withSchedules(300);

    /// Two threads of three steps each: 20 interleavings.
    private static String interleave() throws InterruptedException {
        StringBuilder log = new StringBuilder();
        Thread a = Thread.startVirtualThread(() -> threeSteps(log, 'a'));
        Thread b = Thread.startVirtualThread(() -> threeSteps(log, 'b'));
        a.join();
        b.join();
        return log.toString();
    }

    private static void threeSteps(StringBuilder log, char name) {
        for (int i = 0; i < 3; i++) {
            log.append(name);
            Thread.yield();
        }
    }

    @Test
    void exhaustiveFindsEveryInterleaving() {
        java.util.Set<String> all = new java.util.TreeSet<>();
        Report report = Bubble.check(
                OPTIONS.withStrategy(Strategy.EXHAUSTIVE).withSchedules(10_000).withPoints(Options.NONE),
                _ -> all.add(interleave()));
        assertThat(report.complete()).isTrue();
        assertThat(all).hasSize(20);
    }

    @Test
    void exhaustiveKeepsToItsBoundOfPreemptions() {
        Bubble.Body body = _ -> {
            int[] count = new int[1];
            Thread one = Thread.startVirtualThread(() -> count[0]++);
            Thread two = Thread.startVirtualThread(() -> count[0]++);
            one.join();
            two.join();
            assertThat(count[0]).isEqualTo(2);
        };
        Options exhaustive = OPTIONS.withStrategy(Strategy.EXHAUSTIVE).withSchedules(10_000);
        assertThat(catchThrowableOfType(ScheduleFailure.class, () -> Bubble.check(exhaustive.withDepth(1), body)))
                .isNotNull();
    }

    @Test
    void roundRobinIsOneSchedule() {
        List<String> logs = new ArrayList<>();
        Report report = Bubble.check(OPTIONS.withStrategy(Strategy.ROUND_ROBIN), _ -> logs.add(interleave()));
        assertThat(report.schedules()).isOne();
        assertThat(logs).containsOnly("ababab");
    }

    @ParameterizedTest
    @EnumSource(
            value = Strategy.class,
            names = {"GO", "ROUND_ROBIN"},
            mode = EnumSource.Mode.EXCLUDE)
    void findsALostUpdate(Strategy strategy) {
        ScheduleFailure failure = catchThrowableOfType(
                ScheduleFailure.class,
                () -> Bubble.check(OPTIONS.withStrategy(strategy), _ -> {
                    int[] count = new int[1];
                    Thread one = Thread.startVirtualThread(() -> count[0]++);
                    Thread two = Thread.startVirtualThread(() -> count[0]++);
                    one.join();
                    two.join();
                    assertThat(count[0]).isEqualTo(2);
                }));
        assertThat(failure).isNotNull();
    }

    @Test
    void withoutPointsALostUpdateIsNeverFound() {
        Bubble.check(OPTIONS.withPoints(Options.NONE), _ -> {
            int[] count = new int[1];
            Thread one = Thread.startVirtualThread(() -> count[0]++);
            Thread two = Thread.startVirtualThread(() -> count[0]++);
            one.join();
            two.join();
            assertThat(count[0]).isEqualTo(2);
        });
    }

    // ---- GO

    /// Starts, hand-overs on a channel and yields, in an order that only the scheduler decides.
    private static List<String> goProgram() throws InterruptedException {
        List<String> log = java.util.Collections.synchronizedList(new ArrayList<>());
        Chan<Integer> chan = Chan.make();
        WaitGroup group = new WaitGroup();
        for (int i = 0; i < 4; i++) {
            int id = i;
            group.go(() -> {
                log.add("begins " + id);
                Go.gosched();
                log.add("sends " + id);
                chan.send(id);
                log.add("sent " + id);
            });
        }
        for (int i = 0; i < 4; i++) {
            log.add("received " + chan.receive());
        }
        group.await();
        return log;
    }

    @Test
    void goIsTheOrderOfHeddleOnOneProcessor() throws Exception {
        List<List<String>> inBubble = new ArrayList<>();
        Bubble.check(OPTIONS.withStrategy(Strategy.GO), _ -> inBubble.add(goProgram()));
        CountDownLatch done = new CountDownLatch(1);
        List<List<String>> onHeddle = new ArrayList<>();
        try (Scheduler scheduler = Scheduler.builder().procs(1).name("one").build()) {
            scheduler.go(() -> {
                onHeddle.add(goProgram());
                done.countDown();
            });
            done.await();
        }
        assertThat(inBubble).allMatch(log -> log.equals(onHeddle.getFirst()));
    }

    // ---- time

    /// The bug is in the branch "timed out", which is taken only if the holder is slow.
    private static void timeoutBug() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch held = new CountDownLatch(1);
        Thread holder = Thread.startVirtualThread(() -> {
            lock.lock();
            held.countDown();
            for (int i = 0; i < 5; i++) {
                Thread.yield(); // computes
            }
            lock.unlock();
        });
        held.await();
        if (!lock.tryLock(1, TimeUnit.SECONDS)) {
            throw new AssertionError("timed out");
        }
        lock.unlock();
        holder.join();
    }

    @Test
    void aTimeoutFiresAtAnyStepIfTimeMayPassAtAnyStep() {
        Bubble.check(OPTIONS, _ -> timeoutBug());
        ScheduleFailure failure = catchThrowableOfType(
                ScheduleFailure.class, () -> Bubble.check(OPTIONS.withTime(Time.ANY), _ -> timeoutBug()));
        assertThat(failure).hasMessageContaining("timed out");
        assertThat(failure.replayCode()).endsWith("=t");
        assertThat(catchThrowableOfType(
                        ScheduleFailure.class,
                        () -> Bubble.check(
                                OPTIONS.withTime(Time.ANY).withReplay(failure.replayCode()), _ -> timeoutBug())))
                .hasMessageContaining("timed out");
    }

    @Test
    void aTestInTheUnnamedPackageHasPoints() {
        Points points = Points.of(OPTIONS, "");
        assertThat(points.covers("AccountTest")).isTrue();
        assertThat(points.covers("AccountTest$Account")).isTrue();
        assertThat(points.covers("com.acme.Account")).isFalse();
    }

    @Test
    void pointsMustNameClasses() {
        assertThat(catchThrowableOfType(
                        IllegalArgumentException.class, () -> Bubble.check(OPTIONS.withPoints("java.util.."), _ -> {})))
                .hasMessageContaining("points=java.util.. is refused");
        assertThat(catchThrowableOfType(
                        IllegalArgumentException.class, () -> Bubble.check(OPTIONS.withPoints("a b"), _ -> {})))
                .hasMessageContaining("points=a b is refused");
    }
}
