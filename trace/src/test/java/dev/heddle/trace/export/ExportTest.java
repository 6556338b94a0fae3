package dev.heddle.trace.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.trace.Recording;
import dev.heddle.trace.Scenario;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExportTest {

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Recording recording(Scenario scenario) throws IOException {
        return Recording.open(scenario.write(directory.resolve("x.trace")));
    }

    private List<String> go(Scenario scenario) throws IOException {
        out.reset();
        GoExport.write(recording(scenario), GoVersion.GO_26, out);
        return GoChecker.check(out.toByteArray());
    }

    // ---- Go

    @Test
    void goodGoComesOutOfASmallProgram() throws IOException {
        assertThat(go(Scenario.small()))
                .contains(
                        "M1 P0 G40 GoStatus 40 RUNNING",
                        "M1 P0 G40 GoCreate 1000000000001 app.Worker",
                        "M2 P1 G1000000000001 Log heddle: stole 1 from P0",
                        "M1 P0 G-1 GoBlock chan receive",
                        "M1000000077 P-1 G-1 GoUnblock 90",
                        "M3 P0 G-1 GoStop preempted",
                        "M2 P1 G40 StopBegin GOMAXPROCS",
                        "M2 P1 G40 ProcsChange 2")
                .containsSubsequence(
                        "M1 P0 G1000000000002 GoSyscallBegin",
                        "M1000000077 P-1 G-1 ProcSteal 0 of M1",
                        "M1 P-1 G-1 GoSyscallEndBlocked",
                        "M1 P2 G-1 ProcStart 2",
                        "M1 P2 G1000000000002 GoStart 1000000000002",
                        "M3 P0 G-1 ProcStart 0",
                        "M1 P2 G-1 GoStop preempted",
                        "M1 P-1 G-1 ProcStop");
    }

    @Test
    void whatForeignThreadsDoIsSaidInGoToo() throws IOException {
        Scenario scenario = new Scenario()
                .has(1, 0, 40)
                .at(100, -1, EventKind.GO_CREATE, 5, "runtime.Job", 2)
                .at(200, -1, EventKind.STW_BEGIN)
                .at(210, -1, EventKind.P_TAKEN, 0, 1)
                .at(220, -1, EventKind.PROCS, 1)
                .at(230, -1, EventKind.STW_END)
                .at(300, 1, EventKind.P_LOST, 0)
                .at(310, 1, EventKind.P_START, 0)
                .at(5_000, -1, EventKind.GC, 4_000, 1_000, "pause")
                .at(6_000, -1, EventKind.GC, 2_000, 1_000, "pause")
                .at(7_000, 1, EventKind.REGION_BEGIN, 0, "parse")
                .at(7_100, 1, EventKind.REGION_END, 0, "other")
                .at(7_200, 1, EventKind.REGION_END, 0, "parse");
        assertThat(go(scenario))
                .contains(
                        "M1000000077 P2 G-1 GoCreate 1000000000005 app.runtime.Job",
                        "M1000000077 P2 G3000000000000 StopBegin GOMAXPROCS",
                        "M1000000077 P2 G3000000000000 ProcsChange 1",
                        "M2000000001 P4 G3000000000001 GcBegin 1",
                        "M2000000001 P4 G3000000000002 GcEnd 4",
                        "M1 P0 G40 RegionEnd parse")
                .doesNotContain("M1 P0 G40 RegionEnd other");
    }

    @Test
    void eachGenerationStartsWithTheStatusOfAll() throws IOException {
        Scenario scenario = new Scenario().has(1, 0, 40).endsAt(10_000_000);
        long time = 100;
        for (int i = 0; i < 120_000; i++) {
            time += 40;
            if (i % 2 == 0) {
                scenario.at(time, 1, EventKind.GO_YIELD, 0);
            } else {
                scenario.at(time, 1, EventKind.GO_START, 40, 3);
            }
            if (i % 20_000 == 0) {
                scenario.at(time, 1, EventKind.GO_READY, 50 + i, 1);
            }
        }
        List<String> lines = go(scenario);
        assertThat(lines.stream().filter(it -> it.contains("ProcStatus 0 "))).hasSize(2);
        assertThat(lines.stream().filter(it -> it.contains("GoStatus 40 "))).hasSize(2);
    }

    @Test
    void aStackIsGosStackOfTheBlock() throws IOException {
        assertThat(go(Scenario.withStacks()))
                .contains(
                        "M1 P0 G-1 GoBlock chan receive in java.util.concurrent.locks.LockSupport.park"
                                + " < dev.heddle.internal.runtime.Parking.park < dev.heddle.Chan.receive"
                                + " < app.Main.consume < app.Main.lambda$run$0 < (unknown)",
                        "M1 P0 G-1 GoBlock sleep");
    }

    // ---- Perfetto

    @Test
    void aSmallProgramHasTracksSlicesCountersAndThreads() throws IOException {
        PerfettoExport.write(recording(Scenario.small()), out);
        PerfettoChecker file = PerfettoChecker.check(out.toByteArray());

        assertThat(file.tracks)
                .startsWith("heddle app.Main", "World", "P0", "P1")
                .contains("M1 without a processor", "System monitor", "global queue", "P0 queue", "Other threads");
        assertThat(file.slices)
                .contains(
                        new PerfettoChecker.Slice("P0", "thread 40", 0, 500),
                        new PerfettoChecker.Slice("P1", "goroutine 1 (app.Worker)", 420, 700),
                        new PerfettoChecker.Slice("M1 without a processor", "goroutine 2 (app.Worker)", 1000, 1510),
                        new PerfettoChecker.Slice("World", "stop of the world", 2000, 2030),
                        new PerfettoChecker.Slice("P0", "stolen from", 400, 400),
                        new PerfettoChecker.Slice("System monitor", "hand-off", 1010, 1010));
        assertThat(file.counts)
                .contains(
                        new PerfettoChecker.Count("runnable", 200, 2),
                        new PerfettoChecker.Count("P0 queue", 200, 2),
                        new PerfettoChecker.Count("global queue", 1200, 1));
        assertThat(file.runs).hasSize(10).anyMatch(it -> it.begin() == 0 && it.end() == 500 && it.left() == 1);
        assertThat(file.wakings).isEqualTo(4);
        assertThat(file.threads.values()).contains("goroutine 1 (app.Worker)", "thread 95 (app.Sleeper)");
    }

    @Test
    void annotationsNestOnTheTrackOfTheirGoroutine() throws IOException {
        Scenario scenario = new Scenario()
                .has(1, 0, 40)
                .at(100, 1, EventKind.REGION_BEGIN, 0, "request")
                .at(200, 1, EventKind.LOG, 0, "user", "anna")
                .at(300, 1, EventKind.REGION_END, 0, "request")
                .at(500, -1, EventKind.GC, 450, 10, "pause");
        PerfettoExport.write(recording(scenario), out);
        assertThat(PerfettoChecker.check(out.toByteArray()).slices)
                .contains(
                        new PerfettoChecker.Slice("thread 40", "request", 100, 300),
                        new PerfettoChecker.Slice("thread 40", "user", 200, 200),
                        new PerfettoChecker.Slice("Garbage collector", "pause", 50, 60));
    }

    @Test
    void aRunSaysWhyAndWhereItParks() throws IOException {
        PerfettoExport.write(recording(Scenario.withStacks()), out);
        assertThat(PerfettoChecker.check(out.toByteArray()).arguments)
                .containsSubsequence(
                        "parks=chan receive",
                        "stack=java.util.concurrent.locks.LockSupport.park(LockSupport.java:221)"
                                + "|dev.heddle.internal.runtime.Parking.park(Parking.java:35)"
                                + "|dev.heddle.Chan.receive(Chan.java:90)|app.Main.consume(Main.java:12)"
                                + "|app.Main.lambda$run$0(Main.java:3)",
                        "parks=park",
                        "parks=sleep")
                .filteredOn(it -> it.startsWith("stack="))
                .hasSize(2);
    }

    /// A stop of the world by a foreign thread; a pause within it, one that overlaps that, and one over the stop's end.
    private static Scenario pausesInAStop() {
        return new Scenario()
                .has(1, 0, 40)
                .at(1_000, -1, EventKind.STW_BEGIN)
                .at(1_010, -1, EventKind.P_TAKEN, 0, 1)
                .at(2_000, -1, EventKind.GC, 800, 500, "first") // from 1,200 to 1,700
                .at(2_100, -1, EventKind.GC, 500, 300, "second") // from 1,600 to 1,900
                .at(3_000, -1, EventKind.PROCS, 2)
                .at(3_100, -1, EventKind.STW_END)
                .at(3_200, 1, EventKind.P_LOST, 0)
                .at(3_300, 1, EventKind.P_START, 0)
                .at(4_000, -1, EventKind.GC, 1_000, 500, "third"); // from 3,000 to 3,500
    }

    @Test
    void pausesThatOverlapAStopAndEachOtherAreInOrderOnTheirOwnTrack() throws IOException {
        PerfettoExport.write(recording(pausesInAStop()), out);
        assertThat(PerfettoChecker.check(out.toByteArray()).slices)
                .contains(
                        new PerfettoChecker.Slice("World", "stop of the world", 1_000, 3_100),
                        new PerfettoChecker.Slice("Garbage collector", "first", 1_200, 1_700),
                        new PerfettoChecker.Slice("Garbage collector", "second", 1_700, 1_900),
                        new PerfettoChecker.Slice("Garbage collector", "third", 3_000, 3_500));
    }

    @Test
    void pausesThatOverlapAStopAreInGosLaneOfTheCollector() throws IOException {
        assertThat(go(pausesInAStop()))
                .containsSubsequence(
                        "M1000000077 P2 G3000000000000 StopBegin GOMAXPROCS",
                        "M2000000001 P4 G3000000000001 GcBegin 1",
                        "M2000000001 P4 G3000000000001 GcEnd 2",
                        "M2000000001 P4 G3000000000002 GcBegin 3",
                        "M2000000001 P4 G3000000000002 GcEnd 4",
                        "M2000000001 P4 G3000000000003 GcBegin 5",
                        "M1000000077 P2 G3000000000000 StopEnd",
                        "M2000000001 P4 G3000000000003 GcEnd 6");
    }

    // ---- JSON

    @Test
    void aStackIsALineBeforeItsPark() throws IOException {
        JsonExport.write(recording(Scenario.withStacks()), out);
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsSubsequence(
                        "{\"time\":400,\"kind\":\"go-stack\",\"machine\":1,\"stack\":["
                                + "\"java.lang.VirtualThread.park(VirtualThread.java:7)\","
                                + "\"java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:9)\","
                                + "\"app.Store.put(Store.java:44)\"]}",
                        "{\"time\":400,\"kind\":\"go-park\",\"machine\":1,\"reason\":\"park\","
                                + "\"blocker\":\"java.util.concurrent.locks.ReentrantLock\",\"goroutine\":40}");
    }

    @Test
    void everyEventIsALineOfJson() throws IOException {
        JsonExport.write(recording(Scenario.small()), out);
        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines)
                .contains(
                        "{\"time\":0,\"kind\":\"there-was\",\"goroutine\":40,\"thread\":40,\"state\":\"running\","
                                + "\"machine\":1}",
                        "{\"time\":100,\"kind\":\"go-create\",\"machine\":1,\"number\":1,\"body\":\"app.Worker\","
                                + "\"place\":\"next\",\"goroutine\":1000000000001}",
                        "{\"time\":500,\"kind\":\"go-park\",\"machine\":1,\"reason\":\"chan receive\","
                                + "\"blocker\":\"dev.heddle.Chan\",\"goroutine\":40}",
                        "{\"time\":1000,\"kind\":\"p-taken\",\"writer\":77,\"processor\":0,\"other\":1}");
        assertThat(lines.getFirst()).startsWith("{\"kind\":\"recording\",\"from\":0,\"to\":3000,");
    }
}
