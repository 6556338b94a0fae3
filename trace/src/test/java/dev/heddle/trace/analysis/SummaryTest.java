package dev.heddle.trace.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.trace.Recording;
import dev.heddle.trace.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SummaryTest {

    private static final int MS = 1_000_000;

    @TempDir
    private Path directory;

    private Summary summary(Scenario scenario) throws IOException {
        return Summary.of(Recording.open(scenario.write(directory.resolve("x.trace"))), 20);
    }

    private RunnableWait longestWait(Scenario scenario) throws IOException {
        return summary(scenario).longestWaits().getFirst();
    }

    @Test
    void percentilesAreExactToASixteenth() {
        Random random = new Random(17);
        long[] values = random.longs(5_000, 0, 40_000_000).toArray();
        Distribution distribution = new Distribution();
        Arrays.stream(values).forEach(distribution::add);
        Arrays.sort(values);
        for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 1}) {
            long exact = values[(int) Math.ceil(share * values.length) - 1];
            assertThat(distribution.percentile(share)).isBetween(exact, exact + exact / 16 + 1);
        }
        assertThat(distribution.max()).isEqualTo(values[values.length - 1]);
        assertThat(distribution.sum()).isEqualTo(Arrays.stream(values).sum());
    }

    @Test
    void aPageSumsUpWhatHappened() throws IOException {
        List<String> text = SummaryText.of(summary(Scenario.small()));
        assertThat(text)
                .contains(
                        "x.trace: process 4711, a recording of Heddle 0.1.0 on JDK 25.0.3",
                        "scheduler heddle: GOMAXPROCS=2, 3 machines, 5 goroutines, at most 2 runnable at once",
                        "  1 steals, 0 spills, 0 ends of a slice, processors handed off: 1 of hogs",
                        "  the world was stopped 1 times, 30 ns together, at most 30 ns",
                        "  P1         62.7 %     66.7 %            2   P0: 1")
                .anyMatch(it -> it.matches(" +sleep +1.40 us +1 .*"))
                .anyMatch(it -> it.matches(" +app.Worker +2 +3 +.*"));
        assertThat(text).hasSizeLessThan(60).allSatisfy(it -> assertThat(it).hasSizeLessThan(150));
    }

    @Test
    void theSameIsThereAsJson() throws IOException {
        assertThat(SummaryJson.of(summary(Scenario.small())))
                .contains("\"events\": 38", "\"starts\": 6", "\"P0\": 1", "\"kind\": \"app.Worker\"", "\"hog\": 1");
    }

    @Test
    void theProgramsOwnFramesTellWhereGoroutinesPark() throws IOException {
        Summary summary = summary(Scenario.withStacks());
        assertThat(SummaryText.of(summary))
                .containsSubsequence(
                        "  where goroutines parked, by stacks                              stacks     waited        p50"
                                + "        max",
                        "  app.Store.put(Store.java:44)                                         1     400 ns     400 ns"
                                + "     400 ns",
                        "  app.Main.consume(Main.java:12)                                       1     200 ns     200 ns"
                                + "     200 ns");
        assertThat(SummaryJson.of(summary)).contains("\"frame\": \"app.Store.put(Store.java:44)\"");
        assertThat(SummaryText.of(summary(Scenario.small()))).noneMatch(it -> it.contains("where goroutines parked"));
    }

    @Test
    void aStackWithoutAFrameOfTheProgramIsNamedAfterItsInnermostOne() {
        assertThat(ParkPlace.frameOf(
                        List.of("java.lang.Thread.sleep(Thread.java:1)", "java.lang.Thread.run(T.java:2)")))
                .isEqualTo("java.lang.Thread.sleep(Thread.java:1)");
        assertThat(ParkPlace.frameOf(
                        List.of("dev.heddle.Chan.send(Chan.java:1)", "dev.heddle.examples.A.run(A.java:2)")))
                .isEqualTo("dev.heddle.examples.A.run(A.java:2)");
    }

    // ---- why was it runnable but not running?

    /// Machine 1 runs goroutine 40, which wakes 41 and computes on.
    private static Scenario behindALongRun() {
        return new Scenario()
                .has(1, 0, 40)
                .at(1 * MS, 1, EventKind.GO_READY, 41, 0)
                .at(30 * MS, 1, EventKind.GO_PARK, 6, "")
                .at(30 * MS, 1, EventKind.GO_START, 41, 0)
                .thread(40, "", "app.Hog", "running")
                .endsAt(40 * MS);
    }

    @Test
    void aLongRunOnItsProcessorIsNamed() throws IOException {
        RunnableWait wait = longestWait(behindALongRun().procs(1));
        assertThat(wait.label()).isEqualTo("thread 41");
        assertThat(wait.nanos()).isEqualTo(29 * MS);
        assertThat(wait.verdict()).isEqualTo("thread 40 (app.Hog) ran on P0 for 29.0 ms");
        assertThat(wait.facts())
                .containsExactly(
                        "it was woken by thread 40 (app.Hog) from other and went to runnext of P0, behind 0",
                        "P0 ran 1 goroutines for 29.0 ms and was idle for 0 ns; the longest: thread 40 (app.Hog) for "
                                + "29.0 ms, since 0.000000 s");
    }

    @Test
    void anIdleProcessorBesideItIsAFact() throws IOException {
        assertThat(longestWait(behindALongRun()).facts())
                .contains("P1 ran 0 goroutines for 0 ns and was idle for 29.0 ms");
    }

    @Test
    void aStopOfTheWorldIsTheCauseIfItTookMostOfTheTime() throws IOException {
        RunnableWait wait =
                longestWait(behindALongRun().at(2 * MS, -1, EventKind.STW_BEGIN).at(25 * MS, -1, EventKind.STW_END));
        assertThat(wait.verdict()).isEqualTo("the world was stopped for 23.0 ms");
    }

    @Test
    void aPauseOfTheCollectorIsTheCauseEvenIfItIsReportedLater() throws IOException {
        RunnableWait wait = longestWait(behindALongRun().at(29 * MS, -1, EventKind.GC, 26 * MS, 20 * MS, "G1 young"));
        assertThat(wait.verdict()).isEqualTo("the JVM paused for its garbage collector for 20.0 ms");
    }

    @Test
    void pausesThatOverlapStopsAndEachOtherAreCountedOnce() throws IOException {
        RunnableWait wait = longestWait(behindALongRun()
                .at(2 * MS, -1, EventKind.STW_BEGIN)
                .at(12 * MS, -1, EventKind.GC, 9 * MS, 8 * MS, "G1 young") // from 3 to 11 ms
                .at(14 * MS, -1, EventKind.GC, 8 * MS, 8 * MS, "G1 young") // from 6 to 14 ms
                .at(25 * MS, -1, EventKind.STW_END));
        assertThat(wait.verdict()).isEqualTo("the world was stopped for 23.0 ms");
        assertThat(wait.facts()).contains("the garbage collector paused the JVM for 11.0 ms");
    }

    @Test
    void theGlobalQueueIsTheCauseWithThePlaceInIt() throws IOException {
        RunnableWait wait = longestWait(new Scenario()
                .has(1, 0, 40)
                .at(1 * MS, -1, EventKind.GO_READY, 41, 2)
                .at(2 * MS, -1, EventKind.GO_READY, 42, 2)
                .at(3 * MS, 1, EventKind.GLOBAL_TAKE, 1)
                .at(3 * MS, 1, EventKind.GO_PARK, 0, "")
                .at(3 * MS, 1, EventKind.GO_START, 41, 2)
                .at(30 * MS, 1, EventKind.GO_PARK, 0, "")
                .at(30 * MS, 1, EventKind.GLOBAL_TAKE, 1)
                .at(30 * MS, 1, EventKind.GO_START, 42, 2)
                .endsAt(31 * MS));
        assertThat(wait.verdict()).isEqualTo("it was in the global queue for 28.0 ms, behind 1 others");
    }

    @Test
    void theRunsThatCameFirstAreCounted() throws IOException {
        Scenario scenario = new Scenario().procs(1).has(1, 0, 40).endsAt(200 * MS);
        for (int i = 0; i < 5; i++) {
            scenario.at(i + 1, 1, EventKind.GO_READY, 50 + i, 1);
        }
        for (int i = 0; i < 5; i++) {
            scenario.at((10 + 10 * i) * MS, 1, EventKind.GO_PARK, 0, "");
            scenario.at((10 + 10 * i) * MS, 1, EventKind.GO_START, 50 + i, 1);
        }
        RunnableWait wait = longestWait(scenario);
        assertThat(wait.others()).as("the burst is one entry").isEqualTo(4);
        assertThat(wait.label()).isEqualTo("thread 54");
        assertThat(wait.verdict()).isEqualTo("5 runs on P0 came first");
        assertThat(wait.facts().getFirst()).endsWith("went to the local queue of P0, behind 4");
    }

    @Test
    void aWaitThatTheRecordingCutsOffCountsUntilItsEnd() throws IOException {
        RunnableWait wait = longestWait(new Scenario()
                .procs(1)
                .has(1, 0, 40)
                .at(1 * MS, 1, EventKind.GO_READY, 41, 1)
                .endsAt(50 * MS));
        assertThat(wait.nanos()).isEqualTo(49 * MS);
        assertThat(wait.verdict()).isEqualTo("thread 40 ran on P0 for 49.0 ms");
    }
}
