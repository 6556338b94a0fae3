package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.agent.AgentJar;
import dev.heddle.internal.trace.Block;
import dev.heddle.internal.trace.TraceFile;
import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A program under `Go.main` that can never go on ends in Go's words; one that can is left alone. See
/// [DeadlockPrograms].
class DeadlockTest {

    private static final String ASLEEP = "fatal error: all goroutines are asleep - deadlock!";

    /// Longer than the detector takes, several times.
    private static final long A_WHILE_MILLIS = 500;

    /// Go: TestSimpleDeadlock, TestLockedDeadlock, TestLockedDeadlock2.
    @ParameterizedTest
    @ValueSource(strings = {"simple", "locked", "locked2", "parked"})
    void allGoroutinesAsleepIsADeadlock(String program) throws Exception {
        assertDies(program, List.of(), ASLEEP);
    }

    /// Go: TestGoexitDeadlock.
    @Test
    void noGoroutineLeftAfterGoexitOfMainIsADeadlock() throws Exception {
        assertDies("goexit", List.of(), "fatal error: no goroutines (main called runtime.Goexit) - deadlock!");
    }

    /// Go: TestThreadExhaustion.
    @Test
    void tooManyThreadsEndTheProgram() throws Exception {
        assertDies(
                "threads",
                List.of("-Dheddle.maxThreads=10"),
                "runtime: program exceeds 10-thread limit\nfatal error: thread exhaustion");
    }

    /// The program ends without shutdown hooks. A recording does not hide the deadlock, either.
    @Test
    void executionTracesAreWholeAfterADeadlock(@TempDir Path folder) throws Exception {
        Path trace = folder.resolve("a.trace");
        List<String> options = List.of("-Dheddle.trace=" + trace, "-Dheddle.flight=10s", "-Djava.io.tmpdir=" + folder);
        try (LiveJvm jvm = start(options, "simple")) {
            assertThat(jvm.waitFor()).as(jvm.err()).isEqualTo(2);
            assertThat(jvm.err()).contains(ASLEEP, "the last seconds of the execution trace are in");
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> traces =
                    files.filter(it -> it.toString().endsWith(".trace")).toList();
            assertThat(traces).hasSize(2);
            for (Path file : traces) {
                assertThat(lastBlockOf(file).type()).isEqualTo(Block.Type.MARK);
                assertThat(lastBlockOf(file).payload()[0]).isEqualTo((byte) Block.Mark.END.ordinal());
            }
        }
    }

    private static Block lastBlockOf(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            TraceFile.Reader reader = new TraceFile.Reader(in);
            Block last = null;
            for (Block block = reader.next(); block != null; block = reader.next()) {
                last = block;
            }
            assertThat(reader.damage()).isNull();
            return last;
        }
    }

    /// Timers, executors and sockets that are not used any more cannot wake a goroutine.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "stopped",
                "cancelled",
                "cancelledInHeap",
                "context",
                "executors",
                "commonPool",
                "stockThreads",
                "scheduler",
                "usedSockets",
                "ignoredSignal",
                "removedHook"
            })
    void whatIsOverDoesNotHideADeadlock(String program) throws Exception {
        assertDies(program, List.of(), ASLEEP);
    }

    /// The same, where Heddle's own machines wait for sockets.
    @Test
    void earlierUseOfSocketsDoesNotHideADeadlockUnderTheAgent(@TempDir Path folder) throws Exception {
        assertDies("usedSockets", List.of("-javaagent:" + AgentJar.of(folder)), ASLEEP);
    }

    private static LiveJvm start(List<String> options, String... arguments) throws IOException {
        return ChildJvm.of(DeadlockPrograms.class, arguments)
                .option("-XX:+UseSerialGC")
                .option(options.toArray(String[]::new))
                .start();
    }

    private static void assertDies(String program, List<String> options, String message) throws Exception {
        try (LiveJvm jvm = start(options, program)) {
            assertThat(jvm.waitFor()).as(jvm.err()).isEqualTo(2);
            assertThat(jvm.err()).startsWith(message + "\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sleeper", "platform", "namesake", "delayed", "stock", "pinned"})
    void aProgramThatWillGoOnIsLeftAlone(String program) throws Exception {
        try (LiveJvm jvm = start(List.of(), program)) {
            assertThat(jvm.readLine()).isEqualTo("main returned");
        }
    }

    /// Go: a timer is a timer, however late it is due; and signal.Notify keeps a goroutine that waits for signals.
    @ParameterizedTest
    @ValueSource(strings = {"endless", "endlessPoll", "signal", "hook", "selector"})
    void aGoroutineThatMayStillBeWokenIsLeftAlone(String program) throws Exception {
        try (LiveJvm jvm = start(List.of(), program, "halt")) {
            assertThat(jvm.readLine()).as(jvm.err()).isEqualTo("left alone");
        }
    }

    @Test
    void aWaiterInASelectorIsLeftAloneUnderTheAgent(@TempDir Path folder) throws Exception {
        List<String> agent = List.of("-javaagent:" + AgentJar.of(folder));
        try (LiveJvm jvm = start(agent, "selector", "halt")) {
            assertThat(jvm.readLine()).as(jvm.err()).isEqualTo("left alone");
        }
    }

    @Test
    void aSignalHandlerWakesItsWaiter() throws Exception {
        try (LiveJvm jvm = start(List.of(), "signal", "WINCH")) {
            assertThat(jvm.readLine()).as(jvm.err()).isEqualTo("main returned");
        }
    }

    @Test
    void aReadOfStandardInputIsNoDeadlock() throws Exception {
        try (LiveJvm jvm = start(List.of(), "input")) {
            assertThat(jvm.readLine()).isEqualTo("ready");
            TimeUnit.MILLISECONDS.sleep(A_WHILE_MILLIS); // time enough to be taken for dead
            jvm.send("x");
            assertThat(jvm.readLine()).isEqualTo("main returned");
        }
    }

    @Test
    void waitingForASocketIsNoDeadlock() throws Exception {
        try (LiveJvm jvm = start(List.of(), "socket")) {
            int port = Integer.parseInt(jvm.readLine());
            TimeUnit.MILLISECONDS.sleep(A_WHILE_MILLIS);
            try (Socket socket = connect(port)) {
                assertThat(jvm.readLine()).isEqualTo("accepted");
                TimeUnit.MILLISECONDS.sleep(A_WHILE_MILLIS);
                socket.getOutputStream().write(1);
                assertThat(jvm.readLine()).isEqualTo("main returned");
            }
        }
    }

    private static Socket connect(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }
}
