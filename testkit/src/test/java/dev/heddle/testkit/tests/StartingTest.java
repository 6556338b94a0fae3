package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Scheduler;
import dev.heddle.testkit.samples.Samples;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How the testkit comes into a JVM: attached, refused, beside another agent, in several forks; and how it ends one.
class StartingTest {

    private static final String SAMPLE = Samples.AccountSample.class.getName();
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private static OtherJvm sample(List<String> flags) throws IOException, InterruptedException {
        return OtherJvm.run(SampleLauncher.class, flags, SAMPLE);
    }

    private static List<String> foundBy(OtherJvm jvm) {
        assertThat(jvm.output()).contains("deadlock: all 3 threads wait and no timer is set");
        return jvm.output().lines().filter(line -> line.startsWith(" ")).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+DisableAttachMechanism", "-XX:-EnableDynamicAgentLoading"})
    void aJvmThatForbidsToAttachIsToldWhatToSet(String flag) throws IOException, InterruptedException {
        OtherJvm refused = sample(List.of(flag));
        assertThat(refused.output().lines().filter(line -> line.contains("the testkit's agent cannot be attached")))
                .singleElement()
                .asString()
                .endsWith("start the tests with -javaagent:heddle-testkit.jar, in Maven as argLine of Surefire, or"
                        + " without -XX:+DisableAttachMechanism and -XX:-EnableDynamicAgentLoading.");
        assertThat(refused.output()).endsWith("passed 0\n");
    }

    @Test
    void forksAttachThemselvesAtTheSameTimeAndFindTheSame() throws Exception {
        Callable<List<String>> fork = () -> foundBy(sample(List.of()));
        List<List<String>> found = new ArrayList<>();
        try (ExecutorService forks = Executors.newFixedThreadPool(2)) {
            for (Future<List<String>> one : forks.invokeAll(List.of(fork, fork))) {
                found.add(one.get());
            }
        }
        assertThat(found.getFirst()).hasSizeGreaterThan(3).isEqualTo(found.getLast());
    }

    /// As in a program whose module requires Heddle: the testkit is on the class path, in another module.
    @Test
    void heddleMayBeAModuleOfItsOwn() throws IOException, InterruptedException {
        OtherJvm other = sample(List.of("--module-path", heddle(), "--add-modules", "dev.heddle"));
        assertThat(foundBy(other)).isNotEmpty();
    }

    /// As in tests with a module descriptor that requires the testkit. Heddle is on the class path unless a
    /// descriptor requires it, too.
    @ParameterizedTest
    @ValueSource(strings = {"dev.heddle.testkit", "dev.heddle.testkit,dev.heddle"})
    void theTestkitMayBeAModule(String modules) throws IOException, InterruptedException {
        OtherJvm other =
                sample(List.of("--module-path", heddle() + File.pathSeparator + testkit(), "--add-modules", modules));
        assertThat(foundBy(other)).isNotEmpty();
        assertThat(other.output()).startsWith("the testkit is in module dev.heddle.testkit");
    }

    private static String heddle() {
        return Scheduler.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
    }

    /// JaCoCo counts by stores into an array. They must not become points.
    @Test
    void aTestHasTheSameSchedulesWhenItsCoverageIsMeasured(@TempDir Path folder)
            throws IOException, InterruptedException {
        requireSameWhenMeasured(SAMPLE, CLASS_PATH, folder.resolve("jacoco.exec"));
    }

    /// In class files before Java 11, JaCoCo gets the array from a method of its own, which must not have points.
    @Test
    void theSameHoldsForOldClassFiles(@TempDir Path folder) throws IOException, InterruptedException {
        String source = Path.of("src/test/resources/old/OldAccountTest.java").toString();
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-source", "8", "-target", "8", "-nowarn", "-d", folder.toString(), source);
        assertThat(status).isZero();
        requireSameWhenMeasured(
                "old.OldAccountTest", folder + File.pathSeparator + CLASS_PATH, folder.resolve("jacoco.exec"));
    }

    private static void requireSameWhenMeasured(String sample, String classPath, Path coverage)
            throws IOException, InterruptedException {
        String launcher = SampleLauncher.class.getName();
        List<String> agents = List.of("-javaagent:" + jacoco() + "=destfile=" + coverage, "-javaagent:" + testkit());
        List<String> measured = foundBy(OtherJvm.run(launcher, classPath, agents, sample));
        assertThat(measured).isEqualTo(foundBy(OtherJvm.run(launcher, classPath, List.of(), sample)));
        assertThat(Files.readString(coverage, StandardCharsets.ISO_8859_1)).contains(sample.replace('.', '/'));
    }

    private static String jacoco() {
        return Arrays.stream(CLASS_PATH.split(File.pathSeparator))
                .filter(entry -> entry.contains("org.jacoco.agent"))
                .findFirst()
                .orElseThrow();
    }

    /// The jar that is the agent of this JVM, too.
    private static String testkit() {
        String prefix = "-javaagent:";
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith(prefix) && argument.endsWith("heddle-testkit.jar"))
                .map(argument -> argument.substring(prefix.length()))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "compute, NeverUnmounts.compute, the test waits in a loop without a point",
        "lock, NeverUnmounts$LocksInItsInitialiser.<clinit>, it waits for a monitor while it is pinned"
    })
    void theWatchdogEndsAJvmWhoseTestNeverUnmounts(String program, String place, String reason)
            throws IOException, InterruptedException {
        OtherJvm ended = OtherJvm.run(NeverUnmounts.class, List.of("-Dheddle.test.watchdog=1"), program);
        assertThat(ended.status()).isEqualTo(3);
        assertThat(ended.output())
                .contains("heddle-testkit: a step has taken more than 1 s, at " + place + "(NeverUnmounts.java:")
                .contains("): " + reason)
                .contains("\n    at dev.heddle.testkit.tests." + place);
    }

    @Test
    void aLimitOfTheWatchdogThatIsNoNumberIsRefused() throws IOException, InterruptedException {
        OtherJvm refused = OtherJvm.run(NeverUnmounts.class, List.of("-Dheddle.test.watchdog=soon"), "compute");
        assertThat(refused.output())
                .contains("-Dheddle.test.watchdog=soon is refused: it must be a number of seconds, at least 1.");
    }
}
