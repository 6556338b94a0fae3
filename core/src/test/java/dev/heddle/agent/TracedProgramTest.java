package dev.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.RecordedFile;
import dev.heddle.testing.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The execution trace of a program that knows nothing of Heddle.
final class TracedProgramTest {

    @TempDir
    private Path folder;

    private ChildJvm.Result run(String options) throws Exception {
        return ChildJvm.withoutHeddle(ParkingProgram.class)
                .option("-javaagent:" + AgentJar.of(folder) + "=" + options)
                .run();
    }

    private static boolean isIn(List<String> stack, String method, String jdk) {
        return stack.stream().anyMatch(it -> it.startsWith(ParkingProgram.class.getName() + "." + method + "("))
                && stack.stream().anyMatch(it -> it.startsWith(jdk));
    }

    @Test
    void threadsThatWaitInTheJdkAreRecordedWithTheirPlaces() throws Exception {
        Path file = folder.resolve("a.trace");
        ChildJvm.Result child = run("trace=" + file + ",stacks=every:1");

        assertThat(child.err()).isEmpty();
        assertThat(child.out()).isEqualTo("done" + System.lineSeparator());
        assertThat(RecordedFile.stacks(file))
                .anyMatch(it -> isIn(it, "takes", "java.util.concurrent.ArrayBlockingQueue.take("))
                .anyMatch(it -> isIn(it, "naps", "java.lang.Thread.sleep("))
                .anyMatch(it -> isIn(it, "reads", "sun.nio.ch.NioSocketImpl."));
    }

    @Test
    void socketsAreToldAndNoStacksWithoutTheOption() throws Exception {
        Path file = folder.resolve("a.trace");
        assertThat(run("trace=" + file).out()).isEqualTo("done" + System.lineSeparator());
        assertThat(RecordedFile.stacks(file)).isEmpty();
        assertThat(RecordedFile.events(file))
                .as("a socket became ready")
                .anyMatch(it -> it.kind() == EventKind.NETPOLL && it.get(Field.COUNT) > 0);
    }
}
