package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.ScheduleFailure;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

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
                failure.replayCode());
        assertThat(debugged.output()).contains("deadlock: all 3 threads wait and no timer is set");
        assertThat(storyOf(debugged.output())).isEqualTo(storyOf(failure.getMessage()));
    }

    private static List<String> storyOf(String message) {
        return message.lines().filter(line -> line.contains(" ms  #")).toList();
    }

    @Test
    void deadlockedThreadsDoNotFillTheHeap() throws IOException, InterruptedException {
        OtherJvm small = OtherJvm.run(Deadlocks.class, List.of("-Xmx64m"), Integer.toString(500 * SCALE));
        assertThat(small.output()).contains("deadlocked ");
    }

    @Test
    void aStructuredTaskScopeIsInVirtualTime() throws IOException, InterruptedException {
        OtherJvm preview =
                OtherJvm.run("src/test/resources/StructuredScope.java", List.of("--enable-preview", "--source", "25"));
        assertThat(preview.output()).contains("an hour passed at once");
    }
}
