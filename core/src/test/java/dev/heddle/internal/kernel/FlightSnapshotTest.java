package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.trace.Block;
import dev.heddle.internal.trace.ByteSource;
import dev.heddle.internal.trace.RecordedFile;
import dev.heddle.internal.trace.TraceFile;
import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What makes the flight recorder write a file by itself, in programs of their own.
class FlightSnapshotTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private LiveJvm start(String program, String... options) throws Exception {
        return ChildJvm.of(FlightPrograms.class, program)
                .option("-Dheddle.procs=1", "-Dheddle.flight=10s", "-Djava.io.tmpdir=" + folder)
                .option(options)
                .start();
    }

    /// The file of that cause, when the program has said that it is there.
    private Path fileOf(LiveJvm jvm, String cause) {
        Path file = folder.resolve("heddle-" + jvm.pid() + "-" + cause + ".trace");
        await().atMost(PATIENCE)
                .until(() -> jvm.err().contains("heddle: the last seconds of the execution trace are in " + file));
        return file;
    }

    private static String remarkIn(Path file) throws Exception {
        String remark = "";
        try (InputStream in = Files.newInputStream(file)) {
            TraceFile.Reader reader = new TraceFile.Reader(in);
            for (Block block = reader.next(); block != null; block = reader.next()) {
                if (block.type() == Block.Type.REMARK) {
                    ByteSource payload = new ByteSource(block.payload());
                    long _ = payload.unsigned();
                    remark = payload.text();
                }
            }
            assertThat(reader.damage()).isNull();
        }
        return remark;
    }

    @Test
    void aGoroutineThatWaitsTooLongForAProcessorIsOnFile() throws Exception {
        try (LiveJvm jvm = start("late", "-Dheddle.flightlatency=50ms")) {
            Path file = fileOf(jvm, "latency");
            assertThat(remarkIn(file))
                    .matches("(a goroutine|the goroutine of thread \\d+) (was|has been) runnable for [0-9.]+ ms"
                            + " and did not run, from [0-9.]+ s on");
            assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(jvm.readLine()).isEqualTo("done");
            jvm.closeInput();
            assertThat(jvm.waitFor()).isZero();
            assertThat(jvm.err()).as("one file in a minute").containsOnlyOnce("the last seconds");
        }
    }

    /// The same program: the setting asks for longer waits.
    @Test
    void shorterWaitsAreLeftAlone() throws Exception {
        try (LiveJvm jvm = start("late", "-Dheddle.flightlatency=9999s")) {
            assertThat(jvm.readLine()).isEqualTo("done");
            jvm.closeInput();
            assertThat(jvm.waitFor()).isZero();
            assertThat(jvm.err()).isEmpty();
        }
    }

    @Test
    void aBugOfTheSchedulerIsOnFile() throws Exception {
        try (LiveJvm jvm = start("bug")) {
            assertThat(remarkIn(fileOf(jvm, "bug"))).contains("a part failed", "made up by a test");
        }
    }

    @Test
    void aLatencyWithoutAFlightRecorderIsRefused() throws Exception {
        assertThat(ChildJvm.of(FlightPrograms.class, "bug")
                        .option("-Dheddle.flightlatency=50ms")
                        .run()
                        .err())
                .contains("-Dheddle.flightlatency=50ms is refused: it needs the flight recorder, -Dheddle.flight=10s.");
    }

    @Test
    void stacksMustBeEveryN() throws Exception {
        assertThat(ChildJvm.of(FlightPrograms.class, "bug")
                        .option("-Dheddle.flight=10s", "-Dheddle.stacks=10")
                        .run()
                        .err())
                .contains("-Dheddle.stacks=10 is refused: it must be every:N, such as every:10.");
    }

    @Test
    void theFlightRecorderHasStacksOnRequest() throws Exception {
        try (LiveJvm jvm = start("bug", "-Dheddle.stacks=every:1")) {
            assertThat(RecordedFile.stacks(fileOf(jvm, "bug")))
                    .anyMatch(stack -> stack.stream().anyMatch(it -> it.contains("FlightPrograms.naps(")));
        }
    }

    @Test
    void aLatencyMustBeATime() throws Exception {
        assertThat(ChildJvm.of(FlightPrograms.class, "bug")
                        .option("-Dheddle.flight=10s", "-Dheddle.flightlatency=50")
                        .run()
                        .err())
                .contains("-Dheddle.flightlatency=50 is refused: it must be a time such as 50ms.");
    }
}
