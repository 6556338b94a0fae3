package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.agent.AgentJar;
import dev.heddle.internal.jdk.FlightRecorderState;
import dev.heddle.internal.procs.CpuLimits;
import dev.heddle.internal.procs.CpuQuota;
import dev.heddle.internal.procs.Throttling;
import dev.heddle.internal.wire.FoundCause;
import dev.heddle.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import program.FlightProgram;

/// Heddle's events, as users of the flight recorder see them.
final class FlightEventsTest {

    @TempDir
    private Path folder;

    private Path recording() {
        return folder.resolve("recording.jfr");
    }

    private String startRecording() {
        return "-XX:StartFlightRecording=dumponexit=true,filename=" + recording();
    }

    private String jfr(String... words) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(ChildJvm.tool("jfr").toString()));
        command.addAll(List.of(words));
        command.add(recording().toString());
        return ChildJvm.ofCommand(command).succeed();
    }

    @Test
    void handOffsHogsAndBlockedCarriersAreEvents() throws Exception {
        Path fifo = folder.resolve("fifo");
        assumeTrue(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor() == 0, "there is no mkfifo here");

        ChildJvm.withoutHeddle(FlightProgram.class, fifo.toString())
                .option("-javaagent:" + AgentJar.of(folder), startRecording())
                .succeed();

        assertThat(jfr("print", "--events", "heddle.HandOff"))
                .contains("heddle.HandOff {", "scheduler = \"heddle\"", "reason = \"hog\"", "reason = \"undeclared\"")
                .containsPattern("carrier = \"ForkJoinPool-1-worker-\\d+\" ");
        assertThat(jfr("print", "--events", "heddle.Hog"))
                .contains("heddle.Hog {")
                .containsPattern("cpuTime = [\\d.]+ ")
                .containsPattern("place = \"program.FlightProgram.compute\\(");
        assertThat(jfr("print", "--events", "heddle.BlockedCarrier"))
                .contains("heddle.BlockedCarrier {", "reason = \"syscall\"")
                .containsPattern("blockedCarriers = [1-9]") // others may be in a short system call just then
                .containsPattern("virtualThread = \"\" \\(javaThreadId = \\d+, virtual\\)")
                .containsPattern("place = \"program.FlightProgram.open\\(");
        assertThat(jfr("metadata", "--events", "heddle.*").split("@Category\\(\"Heddle\"\\)", -1))
                .as("six types in the category")
                .hasSize(7);
    }

    @Test
    void aDeadlockIsAnEventAndTheRecordingIsWritten() throws Exception {
        ChildJvm.Result result =
                ChildJvm.of(DeadlockedProgram.class).option(startRecording()).run();

        assertThat(result.exitCode()).as("%s", result).isEqualTo(2);
        assertThat(jfr("print", "--events", "heddle.Deadlock"))
                .contains("heddle.Deadlock {")
                .contains("message = \"fatal error: all goroutines are asleep - deadlock!\"")
                .contains("goroutines = 1");
    }

    @Test
    void aProgramThatIsNotRecordedLoadsNothingOfTheRecorder() throws Exception {
        Path loaded = folder.resolve("loaded.txt");

        ChildJvm.Result result = ChildJvm.of(DeadlockedProgram.class)
                .option("-Xlog:class+load=info:file=" + loaded)
                .run();

        assertThat(result.exitCode()).as("%s", result).isEqualTo(2);
        assertThat(Files.readString(loaded))
                .contains("dev.heddle.internal.observe.RecorderLink ")
                .doesNotContain(" jdk.jfr.", "observe.FlightEvents ", "observe.EventReporter ", "kernel.EventFeed ");
    }

    @Test
    void throttlingIsAnEventWithWhatIsNew() throws Exception {
        ThrottlingWatch watch = new ThrottlingWatch();
        List<RecordedEvent> events = recorded("heddle.Throttling", () -> {
            watch.report(limits(7, 1_000));
            watch.report(limits(7, 1_000));
            watch.report(limits(10, 6_000));
        });

        assertThat(events).singleElement().satisfies(it -> {
            assertThat(it.getLong("throttledPeriods")).isEqualTo(3);
            assertThat(it.getDuration("throttledTime").toNanos()).isEqualTo(5_000);
            assertThat(it.getDouble("quotaCpus")).isEqualTo(1.5);
        });
    }

    private static CpuLimits limits(long throttledPeriods, long throttledNanos) {
        return new CpuLimits(
                2,
                null,
                "/test (cgroup v2)",
                new CpuQuota(150_000, 100_000, "cpu.max", "/test"),
                new Throttling(100, throttledPeriods, throttledNanos),
                null);
    }

    @Test
    void aFindingOfTheDoctorIsAnEvent() throws Exception {
        List<RecordedEvent> events = recorded(
                "heddle.DoctorFinding",
                () -> RecorderLink.finding(
                        "heddle", new FoundCause("slow-lock", "a title", "some evidence", "a remedy")));

        assertThat(events).singleElement().satisfies(it -> {
            assertThat(it.getString("cause")).isEqualTo("slow-lock");
            assertThat(it.getString("evidence")).isEqualTo("some evidence");
            assertThat(it.getString("remedy")).isEqualTo("a remedy");
        });
    }

    /// Events depend on it, and a JDK that lacks the flag would have none.
    @Test
    void thisJdkTellsWhetherTheRecorderWasStarted() throws Exception {
        recorded("none", () -> {});

        assertThat(FlightRecorderState.find().isStarted()).isTrue();
    }

    private List<RecordedEvent> recorded(String name, Runnable body) throws IOException {
        try (Recording recording = new Recording()) {
            recording.start();
            body.run();
            recording.stop();
            recording.dump(recording());
        }
        return RecordingFile.readAllEvents(recording()).stream()
                .filter(it -> it.getEventType().getName().equals(name))
                .toList();
    }
}
