package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.agent.AgentJar;
import dev.heddle.testing.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// N6: stacks may end at every entry point of the kernel, at every depth: each entry is refused before anything has
/// changed, or it is done, and the scheduler is healthy afterwards. See [EntryDepths].
class EntryDepthTest {

    private static final String THOROUGH = "heddle.entryDepths";

    @TempDir
    private Path folder;

    private static void succeeds(ChildJvm child) throws InterruptedException {
        assertThat(child.option("-Xss256k", "-XX:+UseSerialGC", "-XX:MaxJavaStackTraceDepth=16")
                        .timeLimit(240)
                        .succeed())
                .endsWith("sound\n");
    }

    private ChildJvm underTheAgent(String warmth, String entry) throws Exception {
        return ChildJvm.withoutFlags(EntryDepths.class, warmth, entry)
                .option("-javaagent:" + AgentJar.of(folder), "--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void inTheLibrary() throws InterruptedException {
        succeeds(ChildJvm.of(EntryDepths.class, "warm", "all"));
    }

    @Test
    void inTheLibraryInterpreted() throws InterruptedException {
        succeeds(ChildJvm.of(EntryDepths.class, "warm", "all").option("-Xint"));
    }

    @Test
    void whileEventsAreRecorded() throws InterruptedException {
        succeeds(ChildJvm.of(EntryDepths.class, "warm", "all", "recorded"));
    }

    @Test
    void whileEventsAreRecordedInterpreted() throws InterruptedException {
        succeeds(ChildJvm.of(EntryDepths.class, "warm", "all", "recorded").option("-Xint"));
    }

    @Test
    void underTheAgent() throws Exception {
        succeeds(underTheAgent("warm", "all"));
    }

    @Test
    void underTheAgentInterpreted() throws Exception {
        succeeds(underTheAgent("warm", "all").option("-Xint"));
    }

    /// Takes minutes, as the two below: a JVM for each entry point, in which nothing of it was linked before.
    @ParameterizedTest
    @EnumSource
    @EnabledIfSystemProperty(named = THOROUGH, matches = "all")
    void cold(EntryDepths.Entry entry) throws Exception {
        succeeds(ChildJvm.of(EntryDepths.class, "cold", entry.name()));
        succeeds(ChildJvm.of(EntryDepths.class, "cold", entry.name()).option("-Xint"));
        succeeds(underTheAgent("cold", entry.name()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xcomp", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
    @EnabledIfSystemProperty(named = THOROUGH, matches = "all")
    void compiled(String option) throws Exception {
        succeeds(ChildJvm.of(EntryDepths.class, "warm", "all").option(option));
        succeeds(underTheAgent("warm", "all").option(option));
    }

    @Test
    @EnabledIfSystemProperty(named = THOROUGH, matches = "all")
    void coldAndCompiledAtOnce() throws InterruptedException {
        succeeds(ChildJvm.of(EntryDepths.class, "cold", "all").option("-Xcomp"));
    }
}
