package dev.heddle.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.trace.Recording;
import dev.heddle.trace.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecordingDoctorTest {

    private static final int US = 1_000;
    private static final int MS = 1_000_000;

    @TempDir
    private Path directory;

    private List<RecordedFinding> examine(Scenario scenario) throws IOException {
        return RecordingDoctor.examine(Recording.open(scenario.write(directory.resolve("a.trace"))));
    }

    private static List<RecordedFinding> of(RecordedCause cause, List<RecordedFinding> findings) {
        return findings.stream().filter(it -> it.cause() == cause).toList();
    }

    /// Goroutine 40 runs for so long, while another is in the queue of its processor.
    private static Scenario longRun(int millis) {
        return new Scenario()
                .procs(1)
                .has(1, 0, 39)
                .at(1 * MS, 1, EventKind.GO_READY, 40, 1)
                .at(1 * MS, 1, EventKind.GO_READY, 41, 1)
                .at(1 * MS, 1, EventKind.GO_PARK, 0, "")
                .at(1 * MS, 1, EventKind.GO_START, 40, 1)
                .at((1 + millis) * MS, 1, EventKind.GO_PARK, 0, "")
                .at((1 + millis) * MS, 1, EventKind.GO_START, 41, 1)
                .thread(40, "", "app.Hog", "running")
                .endsAt(500 * MS);
    }

    @Test
    void aRunOfSlicesIsAHogIfOthersWaitForIt() throws IOException {
        List<RecordedFinding> findings = examine(longRun(120));
        assertThat(findings)
                .extracting(RecordedFinding::cause)
                .containsExactly(RecordedCause.CPU_HOG, RecordedCause.RUNNABLE_WAIT);
        assertThat(findings.getFirst().evidence())
                .containsExactly(
                        "1 runs of 20.0 ms or more took 120 ms together while others were runnable",
                        "thread 40 (app.Hog) ran for 120 ms without a switch, since 0.001000 s");
        assertThat(findings.get(1).evidence())
                .contains(
                        "thread 41 ((unknown)) was runnable for 120 ms since 0.001000 s: thread 40 (app.Hog) ran on P0 "
                                + "for 120 ms");
    }

    @Test
    void aShortRunIsNone() throws IOException {
        assertThat(examine(longRun(9))).isEmpty();
    }

    @Test
    void aLongRunForWhichNothingWaitsIsNone() throws IOException {
        Scenario scenario = new Scenario()
                .has(1, 0, 40)
                .at(400 * MS, 1, EventKind.GO_PARK, 0, "")
                .endsAt(500 * MS);
        assertThat(examine(scenario)).isEmpty();
    }

    /// Two goroutines wake each other on processor 0; a third is in its queue, or not.
    private static Scenario pingPong(boolean isWaitedFor) {
        Scenario scenario = new Scenario().procs(1).has(1, 0, 40);
        long time = 1 * MS;
        if (isWaitedFor) {
            scenario.at(time, 1, EventKind.GO_READY, 90, 1);
        }
        for (int i = 0; i < 400; i++) {
            time += 100 * US;
            int next = 41 - i % 2;
            scenario.at(time, 1, EventKind.GO_READY, next, 0)
                    .at(time + 10 * US, 1, EventKind.GO_PARK, 0, "")
                    .at(time + 10 * US, 1, EventKind.GO_START, next, 0);
        }
        return scenario.at(time + 100 * US, 1, EventKind.GO_PARK, 0, "")
                .at(time + 100 * US, 1, EventKind.GO_START, isWaitedFor ? 90 : 91, 1)
                .endsAt(100 * MS);
    }

    @Test
    void aPairThatPassesOverTheQueueIsUnfair() throws IOException {
        assertThat(of(RecordedCause.UNFAIR_PAIR, examine(pingPong(true))))
                .singleElement()
                .satisfies(it -> assertThat(it.evidence().getLast())
                        .startsWith("thread 41 and thread 40 ran 400 times in turn on P0 for 40.0 ms, since "));
        assertThat(of(RecordedCause.UNFAIR_PAIR, examine(pingPong(false)))).isEmpty();
    }

    private static Scenario blocked(int machines) {
        Scenario scenario = new Scenario();
        for (int i = 1; i <= machines; i++) {
            scenario.has(i, -1, 100 + i);
            scenario.at(i * MS, -1, EventKind.HAND_OFF, 0, i, 1, 20 * US);
            scenario.at(200 * MS, i, EventKind.GO_PARK, 0, "");
        }
        return scenario.endsAt(300 * MS);
    }

    @Test
    void machinesThatAreBlockedAtOnceAreCounted() throws IOException {
        assertThat(of(RecordedCause.BLOCKED_MACHINES, examine(blocked(30))))
                .singleElement()
                .satisfies(it -> assertThat(it.evidence().getFirst())
                        .isEqualTo("30 machines were blocked at once at 0.030000 s, with GOMAXPROCS=2"));
        assertThat(examine(blocked(10))).isEmpty();
    }

    @Test
    void aStopOfTheWorldCountsIfItIsLong() throws IOException {
        for (int millis : new int[] {1, 8}) {
            Scenario scenario = new Scenario()
                    .has(1, 0, 40)
                    .at(10 * MS, 1, EventKind.STW_BEGIN)
                    .at((10 + millis) * MS, 1, EventKind.STW_END)
                    .endsAt(500 * MS);
            assertThat(of(RecordedCause.WORLD_STOPPED, examine(scenario))).hasSize(millis == 8 ? 1 : 0);
        }
    }

    @Test
    void theReportNamesCauseEvidenceAndRemedy() throws IOException {
        Recording recording = Recording.open(longRun(120).write(directory.resolve("a.trace")));
        List<RecordedFinding> findings = RecordingDoctor.examine(recording);
        assertThat(RecordedReport.text(recording, findings))
                .startsWith(
                        "a.trace, a recording of 500 ms: 2 causes",
                        "  cpu-hog: a goroutine computes for long while others wait for its processor")
                .anyMatch(it -> it.startsWith("    do       Call Go.gosched()"));
        assertThat(RecordedReport.text(recording, List.of()))
                .containsExactly("a.trace, a recording of 500 ms: nothing is wrong that the doctor knows");
        assertThat(RecordedReport.json(recording, findings)).contains("\"cause\":\"cpu-hog\"", "\"seconds\":0.5");
    }
}
