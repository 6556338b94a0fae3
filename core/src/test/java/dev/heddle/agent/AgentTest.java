package dev.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.jdk.Access;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The agent in JVMs of their own: installed, refused in one sentence, or stood aside; never half of it.
public final class AgentTest {

    @TempDir
    private static Path folder;

    private static Path agent;

    @BeforeAll
    static void makeAgent() throws IOException {
        agent = AgentJar.of(folder);
    }

    private static ChildJvm run(String... options) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(options));
        words.addAll(List.of("-cp", ChildJvm.testClasses(), InstalledProgram.class.getName()));
        return ChildJvm.run(folder, words);
    }

    private static String javaagent(String options) {
        return "-javaagent:" + agent + options;
    }

    private static void assertRefused(ChildJvm child, String sentence) {
        assertThat(child.err()).isEqualTo("heddle: the program was not started: " + sentence + System.lineSeparator());
        assertThat(child.out()).isEmpty();
        assertThat(child.exitCode()).isEqualTo(1);
    }

    @Test
    void everyVirtualThreadRunsOnHeddle() throws Exception {
        ChildJvm child = run(javaagent("=procs=2"));

        assertThat(child.err()).isEmpty();
        assertThat(child.out().lines().toList())
                .satisfiesExactly(
                        it -> assertThat(it)
                                .matches(
                                        "pool: dev\\.heddle\\.internal\\.kernel\\.KernelPool@[0-9a-f]+\\[.*parallelism = 2, size = .*]"),
                        it -> assertThat(it).isEqualTo("pool of Scheduler.current: true"),
                        it -> assertThat(it).isEqualTo("in a virtual thread: true"),
                        it -> assertThat(it).isEqualTo("in a goroutine: true"),
                        it -> assertThat(it).isEqualTo("procs: 2"),
                        it -> assertThat(it).isEqualTo("bean's parallelism: 2"),
                        it -> assertThat(it).isEqualTo("after setParallelism(3): 3 3"),
                        it -> assertThat(it).isEqualTo("after shutdown: false alive"),
                        it -> assertThat(it)
                                .isEqualTo(
                                        "close: this scheduler runs every virtual thread of the JVM and cannot be closed"),
                        it -> assertThat(it).isEqualTo("goroutines that stay after sockets were used: 0"),
                        it -> assertThat(it).isEqualTo("another scheduler beside it: true"));
        assertThat(child.exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "'', -Djdk.virtualThreadScheduler.parallelism=5, 5",
        "=procs=4, -Djdk.virtualThreadScheduler.parallelism=5, 4",
        "=procs=4, -Djdk.virtualThreadScheduler.maxPoolSize=1, 1",
        "'', -Dheddle.procs=7, 7"
    })
    void theNumberOfProcessorsComesFromTheNearestSetting(String options, String property, int procs) throws Exception {
        ChildJvm child = run(property, javaagent(options));

        assertThat(child.out()).contains("procs: " + procs + System.lineSeparator());
    }

    @Test
    void unknownOptionsDoNotStartTheProgram() throws Exception {
        assertRefused(
                run(javaagent("=speed=fast")),
                "the agent has no option 'speed'; there are procs=N, schedtrace=MILLISECONDS, preempt=CLASSES and metrics=PORT.");
    }

    @Test
    void badPropertiesOfTheJdkDoNotStartTheProgram() throws Exception {
        assertRefused(
                run("-Djdk.virtualThreadScheduler.parallelism=abc", javaagent("")),
                "-Djdk.virtualThreadScheduler.parallelism=abc is refused: it must be a number from 1 to 32767.");
    }

    @Test
    void installedTwiceIsRefused() throws Exception {
        assertRefused(
                run(javaagent(""), javaagent("=procs=3")),
                "Heddle is installed already: name -javaagent:heddle.jar once.");
    }

    @Test
    void installedAfterVirtualThreadsWereUsedIsRefused() throws Exception {
        Path early = AgentJar.of(folder.resolve("early.jar"), EarlyThreadAgent.class, HeddleAgent.class);

        assertRefused(
                run("-javaagent:" + early, javaagent("")),
                "something used virtual threads before Heddle could be installed: name -javaagent:heddle.jar before other"
                        + " agents.");
    }

    @Test
    void standsAsideWhereVirtualThreadsAreNotScheduled() throws Exception {
        ChildJvm child = ChildJvm.run(
                folder,
                List.of(
                        "-XX:+UnlockExperimentalVMOptions",
                        "-XX:-VMContinuations",
                        javaagent(""),
                        "-cp",
                        ChildJvm.testClasses(),
                        PlainProgram.class.getName()));

        assertThat(child.err())
                .isEqualTo("heddle: not installed: this JVM runs virtual threads as platform threads"
                        + " (-XX:-VMContinuations), so there is nothing to schedule." + System.lineSeparator());
        assertThat(child.out().strip()).isEqualTo("ran");
        assertThat(child.exitCode()).isZero();
    }

    /// Compiled code that knows the old scheduler would keep it: nothing may be compiled before.
    @Test
    void installsWhenEverythingIsCompiledAtOnce() throws Exception {
        ChildJvm child = ChildJvm.run(
                folder,
                List.of(
                        "-Xcomp",
                        "-XX:TieredStopAtLevel=1",
                        javaagent(""),
                        "-cp",
                        ChildJvm.testClasses(),
                        PlainProgram.class.getName()));

        assertThat(child.err()).isEmpty();
        assertThat(child.out().strip()).isEqualTo("ran");
    }

    @Test
    void attachedToARunningProgramItChangesNothing() throws Exception {
        Path out = folder.resolve("attached.out");
        Path err = folder.resolve("attached.err");
        Process program = ChildJvm.start(
                List.of(
                        "-XX:+EnableDynamicAgentLoading",
                        "-cp",
                        ChildJvm.testClasses(),
                        PlainProgram.class.getName(),
                        "wait"),
                out,
                err);
        try {
            await("the program has begun")
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> Files.readString(out).contains("waits"));
            Process jcmd = new ProcessBuilder(
                            ChildJvm.tool("jcmd").toString(),
                            Long.toString(program.pid()),
                            "JVMTI.agent_load",
                            agent.toString())
                    .redirectErrorStream(true)
                    .start();
            jcmd.getInputStream().readAllBytes();
            assertThat(jcmd.waitFor()).isZero();
        } finally {
            program.getOutputStream().close(); // what it waits for
        }

        assertThat(program.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(err))
                .isEqualTo("heddle: not installed: a running program keeps its scheduler;"
                        + " start it with -javaagent:heddle.jar." + System.lineSeparator());
        assertThat(Files.readAllLines(out)).containsExactly("waits", "ran");
    }

    @Test
    void withoutTheAgentAProgramMayInstallItFirstOfAll() throws Exception {
        List<String> words = new ArrayList<>(List.of(Access.flags().split(" ")));
        String classes = Path.of(HeddleAgent.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        words.addAll(List.of(
                "-cp", classes + File.pathSeparator + ChildJvm.testClasses(), SelfInstallingProgram.class.getName()));

        ChildJvm child = ChildJvm.run(folder, words);

        assertThat(child.err()).isEmpty();
        assertThat(child.out().lines())
                .containsExactly(
                        "on Heddle: true", "again: Heddle is installed already: name -javaagent:heddle.jar once.");
    }

    /// A jar that holds Heddle needs no agent line: its manifest names the agent.
    @Test
    void aJarMayBringTheAgentItself() throws Exception {
        Path jar = folder.resolve("app.jar");
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, PlainProgram.class.getName());
        attributes.putValue("Launcher-Agent-Class", HeddleAgent.class.getName());
        attributes.put(
                Attributes.Name.CLASS_PATH,
                AgentJar.folderOf(HeddleAgent.class) + " " + AgentJar.folderOf(AgentTest.class));
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();

        ChildJvm child = ChildJvm.run(folder, List.of("-Dheddle.schedtrace=100000", "-jar", jar.toString()));

        assertThat(child.out().strip()).isEqualTo("ran");
        assertThat(child.err()).startsWith("SCHED "); // the trace of the scheduler that was installed
    }

    @Test
    void theSchedulerIsShownByJcmd() throws Exception {
        Process program = ChildJvm.start(
                List.of(javaagent("=procs=2"), "-cp", ChildJvm.testClasses(), PlainProgram.class.getName(), "wait"),
                folder.resolve("shown.out"),
                folder.resolve("shown.err"));
        try {
            await("the program, and so the scheduler, has begun")
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> Files.readString(folder.resolve("shown.out")).contains("waits"));
            Process jcmd = new ProcessBuilder(
                            ChildJvm.tool("jcmd").toString(), Long.toString(program.pid()), "Thread.vthread_scheduler")
                    .redirectErrorStream(true)
                    .start();
            String shown = new String(jcmd.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);

            assertThat(shown)
                    .containsPattern("dev\\.heddle\\.internal\\.kernel\\.KernelPool@[0-9a-f]+\\[.*parallelism = 2");
        } finally {
            program.getOutputStream().close();
            assertThat(program.waitFor(4, TimeUnit.MINUTES)).isTrue();
        }
    }
}
