package dev.heddle.internal.jdk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.agent.AgentJar;
import dev.heddle.testing.ChildJvm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Nothing is noted of mounts where only Java agents are; for native ones, early or late, everything is.
public final class MountNotificationsTest {

    @TempDir
    private static Path folder;

    private static Path agent;

    @BeforeAll
    static void makeAgent() throws IOException {
        agent = AgentJar.of(folder);
    }

    private static ChildJvm child(String... arguments) {
        return ChildJvm.withoutHeddle(NoticesProgram.class, arguments)
                .option("-XX:+EnableDynamicAgentLoading", "-javaagent:" + agent);
    }

    private static void assumeThatTheLibraryHasSymbols() {
        assumeTrue(
                JvmSymbols.addressOfByte(MountNotifications.VARIABLE) != 0,
                "skipped: the library of this JVM has no symbols");
    }

    @Test
    void anAgentThatComesLaterGetsThem() throws Exception {
        assumeThatTheLibraryHasSymbols();

        ChildJvm.Result child = child(agent.toString()).run();

        assertThat(child.out().lines())
                .containsExactly("stopped: true", "stopped, with the other agent: false", "all ended");
        assertThat(child.exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "'-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y'",
        "-Dheddle.mountNotifications=true",
        "-XX:+StartAttachListener" // as if somebody attached before they are stopped, or at that moment
    })
    void anAgentThatAskedForThemGetsThem(String option) throws Exception {
        ChildJvm.Result child = child().option(option).run();

        assertThat(child.out().lines()).containsExactly("stopped: false", "all ended");
        assertThat(child.exitCode()).isZero();
    }

    @Test
    void nativeAgentsAreSeenInTheCommandLine() {
        assertThat(MountNotifications.isNativeAgentNamed((String[]) null))
                .as("no options at all")
                .isFalse();
        assertThat(MountNotifications.isNativeAgentNamed(new String[] {"-Xmx1g", "-javaagent:heddle.jar"}))
                .isFalse();
        assertThat(MountNotifications.isNativeAgentNamed(new String[] {"-agentpath:/opt/profiler.so=start"}))
                .isTrue();
        assertThat(MountNotifications.isNativeAgentNamed(new String[] {"-Xrunjdwp:server=y"}))
                .isTrue();
    }

    @Test
    void theLibraryIsFoundAmongWhatIsMapped() {
        String maps = """
                7f00-7f10 r--p 00000000 08:01 11 /jdk/lib/libjava.so
                7f20-7f30 r--p 00000000 08:01 12 /jdk/lib/server/libjvm.so
                7f30-7f40 r-xp 00010000 08:01 12 /jdk/lib/server/libjvm.so
                """;

        assertThat(JvmSymbols.library(maps.getBytes(UTF_8)))
                .isEqualTo("7f20-7f30 r--p 00000000 08:01 12 /jdk/lib/server/libjvm.so");
        assertThat(JvmSymbols.library("7f20-7f30 r--p 0 08:01 12 /jdk/libjvm.so (deleted)\n".getBytes(UTF_8)))
                .isEmpty();
    }

    @Test
    void aVariableThatIsNotThereIsNotFound() throws IOException {
        assertThat(JvmSymbols.addressOfByte("_ZN5NoOne4hereE")).isZero();
        Path other = Files.writeString(folder.resolve("other"), "not a library, ".repeat(10));
        try (RandomAccessFile file = new RandomAccessFile(other.toFile(), "r")) {
            assertThat(JvmSymbols.offsetOf("any", file)).isZero();
        }
    }
}
