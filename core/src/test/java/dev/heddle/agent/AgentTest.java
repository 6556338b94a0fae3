package dev.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.jdk.Access;
import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    private static ChildJvm.Result run(String... options) throws InterruptedException {
        return ChildJvm.withoutHeddle(InstalledProgram.class).option(options).run();
    }

    private static String javaagent(String options) {
        return "-javaagent:" + agent + options;
    }

    private static void assertRefused(ChildJvm.Result child, String sentence) {
        assertThat(child.err()).isEqualTo("heddle: the program was not started: " + sentence + System.lineSeparator());
        assertThat(child.out()).isEmpty();
        assertThat(child.exitCode()).isEqualTo(1);
    }

    @Test
    void everyVirtualThreadRunsOnHeddle() throws Exception {
        ChildJvm.Result child = run(javaagent("=procs=2"));

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
        ChildJvm.Result child = run(property, javaagent(options));

        assertThat(child.out()).contains("procs: " + procs + System.lineSeparator());
    }

    @Test
    void unknownOptionsDoNotStartTheProgram() throws Exception {
        assertRefused(
                run(javaagent("=speed=fast")),
                "the agent has no option 'speed'; there are procs=N, schedtrace=MILLISECONDS, preempt=CLASSES, metrics=PORT,"
                        + " observe=off, trace=FILE, flight=TIME, flightlatency=TIME and stacks=every:N.");
    }

    @Test
    void aPortInUseDoesNotStartTheProgram() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            String sentence = "metrics=" + taken.getLocalPort()
                    + " is refused: the port cannot be opened: Address already in use; name another one.";

            assertRefused(run(javaagent("=metrics=" + taken.getLocalPort())), sentence);
            assertRefused(run("-Dheddle.metrics=" + taken.getLocalPort(), javaagent("")), sentence);
        }
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
        ChildJvm.Result child = ChildJvm.withoutHeddle(PlainProgram.class)
                .option("-XX:+UnlockExperimentalVMOptions", "-XX:-VMContinuations", javaagent(""))
                .run();

        assertThat(child.err())
                .isEqualTo("heddle: not installed: this JVM runs virtual threads as platform threads"
                        + " (-XX:-VMContinuations), so there is nothing to schedule." + System.lineSeparator());
        assertThat(child.out().strip()).isEqualTo("ran");
        assertThat(child.exitCode()).isZero();
    }

    /// Compiled code that knows the old scheduler would keep it: nothing may be compiled before.
    @Test
    void installsWhenEverythingIsCompiledAtOnce() throws Exception {
        ChildJvm.Result child = ChildJvm.withoutHeddle(PlainProgram.class)
                .option("-Xcomp", "-XX:TieredStopAtLevel=1", javaagent(""))
                .run();

        assertThat(child.err()).isEmpty();
        assertThat(child.out().strip()).isEqualTo("ran");
    }

    @Test
    void attachedToARunningProgramItChangesNothing() throws Exception {
        try (LiveJvm program = ChildJvm.withoutHeddle(PlainProgram.class, "wait")
                .option("-XX:+EnableDynamicAgentLoading")
                .start()) {
            assertThat(program.readLine()).isEqualTo("waits");
            jcmd(program, "JVMTI.agent_load", agent.toString());
            program.closeInput(); // the program waits for it

            assertThat(program.remainingLines()).containsExactly("ran");
            assertThat(program.waitFor()).isZero();
            assertThat(program.err())
                    .isEqualTo("heddle: not installed: a running program keeps its scheduler;"
                            + " start it with -javaagent:heddle.jar." + System.lineSeparator());
        }
    }

    /// Sends a command to a running JVM and returns the answer.
    private static String jcmd(LiveJvm program, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ChildJvm.tool("jcmd").toString(), Long.toString(program.pid())));
        command.addAll(List.of(words));
        Process jcmd = new ProcessBuilder(command).redirectErrorStream(true).start();
        String answer = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jcmd.waitFor()).as(answer).isZero();
        return answer;
    }

    @Test
    void withoutTheAgentAProgramMayInstallItFirstOfAll() throws Exception {
        ChildJvm.Result child = ChildJvm.withoutFlags(SelfInstallingProgram.class)
                .option(Access.flags().split(" "))
                .run();

        assertThat(child.err()).isEmpty();
        assertThat(child.out().lines())
                .containsExactly(
                        "on Heddle: true", "again: Heddle is installed already: name -javaagent:heddle.jar once.");
    }

    /// A jar that holds Heddle needs no agent line: its manifest names the agent.
    @Test
    void aJarMayBringTheAgentItself() throws Exception {
        Path jar = jarWithAgent(AgentJar.folderOf(HeddleAgent.class));
        ChildJvm.Result child = ChildJvm.ofWords(List.of("-Dheddle.schedtrace=100000", "-jar", jar.toString()))
                .run();

        assertThat(child.out().strip()).isEqualTo("ran");
        assertThat(child.err()).startsWith("SCHED "); // the trace of the scheduler that was installed
    }

    /// Nor does it need any other option of the JVM, and the JVM then says that it has no arguments at all.
    @Test
    void aJarThatBringsTheAgentNeedsNoOption() throws Exception {
        Path jar = jarWithAgent(AgentJar.packaged().toUri().toString());
        ChildJvm.Result child = ChildJvm.ofWords(List.of("-jar", jar.toString()))
                .environment("HEDDLE_DEBUG", "schedtrace=100000")
                .run();

        assertThat(child.out().strip()).as(child.err()).isEqualTo("ran");
        assertThat(child.err()).startsWith("SCHED ");
    }

    private Path jarWithAgent(String heddle) throws IOException {
        Path jar = folder.resolve("app.jar");
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, PlainProgram.class.getName());
        attributes.putValue("Launcher-Agent-Class", HeddleAgent.class.getName());
        attributes.put(Attributes.Name.CLASS_PATH, heddle + " " + AgentJar.folderOf(AgentTest.class));
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    @Test
    void theSchedulerIsShownByJcmd() throws Exception {
        try (LiveJvm program = ChildJvm.withoutHeddle(PlainProgram.class, "wait")
                .option(javaagent("=procs=2"))
                .start()) {
            assertThat(program.readLine()).isEqualTo("waits"); // so the scheduler has begun too

            assertThat(jcmd(program, "Thread.vthread_scheduler"))
                    .containsPattern("dev\\.heddle\\.internal\\.kernel\\.KernelPool@[0-9a-f]+\\[.*parallelism = 2");
            program.closeInput();
            program.waitFor();
        }
    }
}
