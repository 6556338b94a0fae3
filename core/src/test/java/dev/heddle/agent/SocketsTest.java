package dev.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sockets of virtual threads, polled by Heddle's machines, by the JDK's pollers on Heddle, and by the JDK's own
/// threads.
public final class SocketsTest {

    /// Long enough for a busy machine; only a failure waits so long.
    private static final String PATIENCE_SECONDS = "60";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"-Dheddle.netpoll=epoll", "-Dheddle.netpoll=jdk", "-Djdk.pollerMode=1"})
    void everyThreadIsWokenByItsOwnSocket(String mode) throws Exception {
        ChildJvm.Result child = ChildJvm.withoutHeddle(SocketsProgram.class)
                .option(mode, "-XX:TieredStopAtLevel=1", "-javaagent:" + AgentJar.of(folder) + "=procs=2")
                .run();

        assertThat(child.err()).isEmpty();
        assertThat(child.out().lines())
                .containsExactly(
                        "64 connections echo: 3200",
                        "a read times out: SocketTimeoutException true 3",
                        "close wakes the reader: SocketException",
                        "close wakes accept: SocketException",
                        "the peer ends, and resets: -1 SocketException",
                        "a writer waits for room: 0",
                        "descriptors are used again: 200",
                        "interrupt closes a channel: ClosedByInterruptException",
                        "a selector in a virtual thread: 1",
                        "1000 connections wait and are all woken: 1000",
                        "a connection while every processor computes: 5",
                        "timers while sockets wait: 0",
                        "a connection after all was quiet: 1",
                        "idle costs nothing: little",
                        "threads left: 0",
                        "safety net: 0");
    }

    /// With as many carriers as processors and no more, the one that waits in epoll must be given the processor.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aNewThreadRunsWhileTheOnlyCarrierWaitsForASocket(int carriers) throws Exception {
        ChildJvm.Result child = ChildJvm.withoutHeddle(ThreadLimitProgram.class, PATIENCE_SECONDS)
                .option("-Djdk.virtualThreadScheduler.parallelism=" + carriers)
                .option("-Djdk.virtualThreadScheduler.maxPoolSize=" + carriers)
                .option("-javaagent:" + AgentJar.of(folder))
                .run();

        assertThat(child.out().strip()).isEqualTo("ran");
    }

    /// That machine has to wait in epoll from now on.
    @Test
    void theFirstSocketWakesAMachineThatSleepsForATimer() throws Exception {
        ChildJvm.Result child = ChildJvm.withoutHeddle(FirstSocketProgram.class, PATIENCE_SECONDS)
                .option("-Dheddle.netpoll=epoll", "-javaagent:" + AgentJar.of(folder) + "=procs=2")
                .run();

        assertThat(child.err()).isEmpty();
        assertThat(child.out().strip()).isEqualTo("accepted");
    }

    /// An event is reported once: it must not be lost on OutOfMemoryError.
    @Test
    void socketsThatAreReadyWhileTheHeapIsFullAreNotForgotten() throws Exception {
        assertThatAllReadersGoOn(ChildJvm.withoutHeddle(FullHeapSockets.class));
    }

    /// The JDK copies a method handle after some calls. With a low limit these calls fall into the time without memory.
    @Test
    void noMethodHandleIsCopiedWhileTheHeapIsFull() throws Exception {
        assertThatAllReadersGoOn(ChildJvm.withoutHeddle(FullHeapSockets.class)
                .option("-Djava.lang.invoke.MethodHandle.CUSTOMIZE_THRESHOLD=5"));
    }

    private void assertThatAllReadersGoOn(ChildJvm program) throws Exception {
        ChildJvm.Result child = program.option("-Xmx40m", "-XX:+UseSerialGC", "-XX:-UseTLAB")
                .option("-javaagent:" + AgentJar.of(folder) + "=procs=2")
                .run();

        assertThat(child.out()).as(child.err()).isEqualTo("all readers went on\n");
    }
}
