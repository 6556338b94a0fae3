package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.ScheduleFailure;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What has to hold in other JVMs than that of the tests.
class OtherJvmTest {

    private static final int SCALE = Integer.getInteger("heddle.testkit.scale", 1);

    @Test
    void aReplayFailsInTheSameWayElsewhereAndUnderADebugger() throws IOException, InterruptedException {
        ScheduleFailure failure =
                catchThrowableOfType(ScheduleFailure.class, () -> Bubble.check(_ -> Deadlocks.twoLocks()));
        OtherJvm debugged = OtherJvm.run(
                Deadlocks.class,
                List.of("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"),
                "replay",
                failure.replayCode());
        assertThat(debugged.output()).contains("deadlock: all 3 threads wait and no timer is set");
        assertThat(storyOf(debugged.output())).isEqualTo(storyOf(failure.getMessage()));
    }

    private static List<String> storyOf(String message) {
        return message.lines().filter(line -> line.contains(" ms  #")).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks", "monitors"})
    void deadlockedThreadsDoNotFillTheHeap(String kind) throws IOException, InterruptedException {
        OtherJvm small = OtherJvm.run(Deadlocks.class, List.of("-Xmx64m"), kind, Integer.toString(1000 * SCALE));
        assertThat(small.output()).contains("deadlocked ");
    }

    /// The JVM keeps a thread that waits for a monitor; its stack is dropped, and may be asked for.
    @Test
    void aDeadlockedThreadHasNoStackAfterItsSchedule() throws IOException, InterruptedException {
        OtherJvm other = OtherJvm.run(Deadlocks.class, List.of(), "stacks");
        assertThat(other.output().lines()).containsExactly("BLOCKED, frames: 0", "BLOCKED, frames: 0");
    }

    @Test
    void aStructuredTaskScopeIsInVirtualTime() throws IOException, InterruptedException {
        OtherJvm preview =
                OtherJvm.run("src/test/resources/StructuredScope.java", List.of("--enable-preview", "--source", "25"));
        assertThat(preview.output()).contains("an hour passed at once");
    }
}
