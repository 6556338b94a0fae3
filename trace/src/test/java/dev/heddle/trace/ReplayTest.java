package dev.heddle.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.internal.trace.EventKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplayTest {

    @TempDir
    private Path directory;

    private final List<String> intervals = new ArrayList<>();

    private final ReplayListener listener = new ReplayListener() {
        @Override
        public void interval(Goroutine goroutine, long until) {
            if (until > goroutine.since()) {
                intervals.add("%s %s %d-%d".formatted(goroutine, goroutine.state(), goroutine.since(), until));
            }
        }
    };

    private Replay replay(Scenario scenario) throws IOException {
        return Replay.of(Recording.open(scenario.write(directory.resolve("x.trace"))), listener);
    }

    private void assertContradiction(Scenario scenario, String sentence) {
        assertThatThrownBy(() -> replay(scenario))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void goroutinesAreFollowedFromStateToState() throws IOException {
        Replay replay = replay(Scenario.small());

        assertThat(intervals)
                .contains(
                        "thread 40 running 0-500",
                        "goroutine 1 runnable 100-420",
                        "goroutine 1 running 420-700",
                        "thread 40 waiting 500-600",
                        "thread 40 runnable 600-700",
                        "goroutine 2 running 500-1000",
                        "goroutine 2 without a processor 1000-1510",
                        "goroutine 2 runnable 1510-1710",
                        "goroutine 2 running 1710-2010",
                        "goroutine 2 without a processor 2010-2110",
                        "goroutine 2 running 2110-2200",
                        "thread 40 running 700-2300",
                        "thread 90 waiting 0-1200",
                        "thread 90 waiting 1600-3000",
                        "thread 95 waiting 0-3000")
                .doesNotHaveDuplicates();
        assertThat(replay.counts().toString())
                .isEqualTo("6 starts and 1 runs from before = 2 parks + 2 yields + 3 ends + 0 voids + 0 that go on");
        assertThat(replay.counts().isBalanced()).isTrue();
        assertThat(replay.goroutines()).extracting(Goroutine::label).containsExactly("thread 90", "thread 95");
    }

    @Test
    void whoWokeItAndWhereItWasQueuedIsKnown() throws IOException {
        List<String> seen = new ArrayList<>();
        Replay.of(Recording.open(Scenario.small().write(directory.resolve("x.trace"))), new ReplayListener() {
            @Override
            public void started(Goroutine it, Machine machine) {
                seen.add("%s %s by %s at %s"
                        .formatted(it, it.cause(), it.waker(), it.position().queue()));
            }
        });
        assertThat(seen)
                .containsExactly(
                        "goroutine 1 CREATED by thread 40 at the local queue",
                        "goroutine 2 CREATED by thread 40 at runnext",
                        "thread 40 WOKEN by goroutine 1 at runnext",
                        "thread 90 WOKEN by null at the global queue",
                        "thread 90 PREEMPTED by null at the threads that yielded",
                        "goroutine 2 PREEMPTED by null at the global queue");
    }

    /// A goroutine that was created before the recording has no number. Such goroutines are counted, also if they
    /// began to run before the window.
    @Test
    void goroutinesWithoutANumberAreToldApart() throws IOException {
        Scenario scenario = new Scenario()
                .has(1, 0, 0)
                .at(50, 1, EventKind.GO_START_FRESH, 0, 40, 1, "First")
                .strictFrom(100)
                .at(200, 1, EventKind.GO_END)
                .at(300, 1, EventKind.GO_START_FRESH, 0, 41, 1, "Second")
                .at(400, 1, EventKind.GO_END);
        assertThat(replay(scenario).counts().isBalanced()).isTrue();
        assertThat(intervals)
                .contains(
                        "an earlier goroutine in thread 40 running 100-200",
                        "an earlier goroutine in thread 41 running 300-400");
    }

    // ---- what cannot have happened

    @Test
    void aStartOfWhatWaitsIsAContradictionUnlessItIsVoid() throws IOException {
        Scenario start = new Scenario()
                .has(1, 0, 40)
                .at(100, 1, EventKind.GO_PARK, 0, "")
                .at(200, 1, EventKind.GO_START, 40, 1);
        assertContradiction(
                start.at(300, 1, EventKind.GO_PARK, 0, ""),
                "the recording contradicts itself at 0.000 s: 300 GO_PARK by M1 REASON=0 BLOCKER=, but no GO_VOID came "
                        + "after an impossible start: 200 GO_START by M1 THREAD=40 SOURCE=1, but thread 40 is waiting.");
        Scenario voided = new Scenario()
                .has(1, 0, 40)
                .at(100, 1, EventKind.GO_PARK, 0, "")
                .at(200, 1, EventKind.GO_START, 40, 1)
                .at(300, 1, EventKind.GO_VOID);
        assertThat(replay(voided).counts().isBalanced()).isTrue();
    }

    @Test
    void twoMachinesMayStartTheSameGoroutineIfOneOfThemRunsNothing() throws IOException {
        Scenario scenario = new Scenario()
                .has(1, 0, 0)
                .has(2, 1, 0)
                .at(100, -1, EventKind.GO_READY, 40, 2)
                .at(200, 1, EventKind.GO_START, 40, 2)
                .at(300, 2, EventKind.GO_START, 40, 2)
                .at(400, 1, EventKind.GO_VOID)
                .at(500, 2, EventKind.GO_PARK, 0, "");
        Replay replay = replay(scenario);
        assertThat(intervals).contains("thread 40 running 200-400", "thread 40 running 400-500");
        assertThat(replay.counts().isBalanced()).isTrue();
        assertThat(replay.counts().voids()).isOne();
    }

    @Test
    void ofTwoReportsOfAnEndTheSecondIsAVoid() throws IOException {
        Scenario scenario = new Scenario()
                .has(1, 0, 40)
                .has(2, 1, 0)
                .at(100, 2, EventKind.GO_START, 40, 2)
                .at(200, 2, EventKind.GO_END)
                .at(300, 1, EventKind.GO_END);
        Replay replay = replay(scenario);
        assertThat(replay.counts().ends()).isOne();
        assertThat(replay.counts().voids()).isOne();
        assertThat(replay.counts().isBalanced()).isTrue();
    }

    @Test
    void impossibleStepsAreNamed() {
        Scenario running = new Scenario().has(1, 0, 40);
        assertContradiction(
                running.at(100, 1, EventKind.GO_READY, 40, 0),
                "100 GO_READY by M1 THREAD=40 PLACE=0, but thread 40 is running on M1.");
        assertContradiction(
                new Scenario()
                        .has(1, 0, 40)
                        .has(2, -1, 0)
                        .at(50, 1, EventKind.M_WAKE, 2)
                        .at(100, 2, EventKind.P_START, 0),
                "100 P_START by M2 PROCESSOR=0, but P0 belongs to M1.");
        assertContradiction(
                new Scenario().has(1, 0, 40).at(100, 1, EventKind.GO_START, 41, 0),
                "100 GO_START by M1 THREAD=41 SOURCE=0, but M1 still runs thread 40.");
        assertContradiction(
                new Scenario().has(1, 0, 0).at(100, 1, EventKind.GO_END), "100 GO_END by M1, but M1 runs nothing.");
        assertContradiction(
                new Scenario().has(1, 0, 0).at(100, 1, EventKind.P_STOP, 1),
                "100 P_STOP by M1 PROCESSOR=1, but M1 does not have P1.");
        assertContradiction(
                new Scenario()
                        .has(1, 0, 0)
                        .at(100, 1, EventKind.GO_CREATE, 7, "", 0)
                        .at(200, 1, EventKind.GO_CREATE, 7, "", 0),
                "goroutine 7 exists already");
        assertContradiction(
                new Scenario().has(1, 0, 0).at(100, 1, EventKind.PROCS, 1L << 32),
                "100 PROCS by M1 COUNT=4294967296, but no scheduler can have so many processors.");
    }

    @Test
    void aProcessorIsLostOnceWhateverIsNotedFirst() throws IOException {
        for (boolean lostFirst : new boolean[] {true, false}) {
            Scenario scenario = new Scenario()
                    .has(1, 0, 40)
                    .has(2, -1, 0)
                    .at(100, 1, EventKind.BLOCK_BEGIN)
                    .at(lostFirst ? 200 : 300, 1, EventKind.P_LOST, 0)
                    .at(lostFirst ? 300 : 200, -1, EventKind.P_TAKEN, 0, 1)
                    .at(400, 2, EventKind.P_START, 0);
            intervals.clear();
            replay(scenario);
            assertThat(intervals).contains("thread 40 running 0-200", "thread 40 without a processor 200-10000");
        }
    }

    @Test
    void whatAMachineStartsFirstItDidNotHaveBefore() throws IOException {
        Scenario scenario = new Scenario()
                .has(1, 0, 40) // the first chunk names what the event after it starts
                .at(100, 1, EventKind.GO_START, 40, 1);
        replay(scenario);
        assertThat(intervals).containsExactly("thread 40 runnable 0-100", "thread 40 running 100-10000");
    }

    @Test
    void aMachineThatLearnsLateOfALossDidNotHaveTheProcessorInTheWindow() throws IOException {
        Scenario scenario = new Scenario()
                .has(1, -1, 40)
                .at(100, 1, EventKind.P_LOST, 0)
                .has(2, 0, 41)
                .at(200, 2, EventKind.GO_PARK, 0, "")
                .at(300, 2, EventKind.P_STOP, 0);
        replay(scenario);
        assertThat(intervals).contains("thread 41 running 0-200", "thread 40 without a processor 0-10000");
    }

    @Test
    void whatTheWindowTellsOfAProcessorWinsOverWhatWasWrittenBefore() throws IOException {
        Scenario scenario = new Scenario()
                .strictFrom(1_000)
                .at(100, 1, EventKind.P_START, 0) // taken before the window by a thread that took no part yet
                .has(2, 0, 41)
                .at(2_000, 2, EventKind.GO_PARK, 0, "")
                .at(2_100, 2, EventKind.P_STOP, 0)
                .at(3_000, 1, EventKind.P_LOST, 0);
        replay(scenario);
        assertThat(intervals).contains("thread 41 running 1000-2000");
    }

    /// A parked machine is granted a processor, and another one takes it before the machine notices.
    @Test
    void aProcessorThatIsTakenBeforeItsMachineNoticesItWasNotTheMachinesAtTheStart() throws IOException {
        Scenario scenario = new Scenario()
                .strictFrom(100)
                .has(1, -1, 0)
                .at(200, 1, EventKind.P_START, 0)
                .at(300, 1, EventKind.P_STOP, 0)
                .at(400, 2, EventKind.P_TAKEN, 1, 1)
                .at(500, 1, EventKind.P_LOST, 1)
                .at(600, 1, EventKind.P_START, 0);
        replay(scenario);
    }

    @Test
    void aWakeUpThatIsRefusedLeavesTheGoroutineWaiting() throws IOException {
        Scenario scenario = new Scenario()
                .has(1, 0, 40)
                .at(100, 1, EventKind.GO_READY, 41, 0)
                .at(110, 1, EventKind.GO_REFUSED, 41)
                .at(200, 1, EventKind.THREAD_CREATE, 42, "app.A", 0, "a")
                .at(210, 1, EventKind.GO_REFUSED, 42)
                .at(300, 1, EventKind.GO_READY, 41, 0);
        Replay replay = replay(scenario);
        assertThat(intervals).contains("thread 41 waiting 110-300", "thread 41 runnable 300-10000");
        assertThat(replay.goroutines()).extracting(Goroutine::id).containsExactly(40L, 41L);
    }

    @Test
    void aSnapshotBeginsWhereAllMachinesHaveEvents() throws IOException {
        Scenario scenario = new Scenario()
                .has(1, 0, 40)
                .at(100, 1, EventKind.GO_CREATE, 5, "app.A", 0)
                .chunk(1000, 1, 0, 40, 0)
                .at(1100, 1, EventKind.GO_PARK, 0, "")
                .at(1100, 1, EventKind.GO_START_FRESH, 5, 50, 0, "app.A")
                .has(2, 1, 60)
                .at(150, 2, EventKind.GO_READY, 61, 0)
                .chunk(1200, 2, 1, 60, 0)
                .at(1300, 2, EventKind.GO_READY, 40, 0)
                .withoutFirstChunks(1);
        replay(scenario);
        assertThat(intervals)
                .containsExactlyInAnyOrder(
                        "thread 40 waiting 1200-1300",
                        "thread 40 runnable 1300-10000",
                        "goroutine 5 running 1200-10000",
                        "thread 60 running 1200-10000");
    }
}
