package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Access;
import dev.heddle.testing.ChildJvm;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// How Heddle starts in JVMs of all kinds, and what it says when it cannot.
class StartTest {

    /// Main of the child JVMs: one goroutine, or one sentence.
    static final class OneGoroutine {
        private OneGoroutine() {}

        public static void main(String[] args) throws InterruptedException {
            try {
                Scheduler.builder();
            } catch (UnsupportedOperationException e) {
                System.err.println(e.getMessage());
                System.exit(1);
            }
            CountDownLatch done = new CountDownLatch(1);
            Go.go(() -> {
                System.out.println("goroutine on " + Scheduler.current().procs());
                done.countDown();
            });
            done.await();
        }
    }

    @Test
    void theFlagsThatItAsksForAreEnough() throws InterruptedException {
        assertThat(ChildJvm.withoutFlags(OneGoroutine.class)
                        .option(Access.flags().split(" "))
                        .option("-Dheddle.procs=3")
                        .succeed())
                .isEqualTo("goroutine on 3\n");
    }

    /// Else the first goroutine spends its time slice on class initialisers, and waits for those of other threads.
    @Test
    void theFirstGoroutineInitialisesNoClassOfTheKernel() throws InterruptedException {
        String log = ChildJvm.of(OneGoroutine.class)
                .option("-Xlog:class+init=info:stdout")
                .succeed();
        Pattern line =
                Pattern.compile("Initializing 'dev/heddle/internal/(jdk|kernel|queue)/(\\S+)'.* by thread \"(.*)\"");
        Map<String, String> initialisers = log.lines()
                .map(line::matcher)
                .filter(Matcher::find)
                .collect(Collectors.toMap(
                        it -> it.group(2), it -> it.group(3), (first, _) -> first, LinkedHashMap::new));
        assertThat(initialisers)
                .containsEntry("Jdk", "main")
                .containsEntry("Jdk$Handles", "main")
                .containsEntry("ResumeTasks", "main")
                .containsEntry("Machine", "main");
        assertThat(initialisers.entrySet())
                .as("on the carrier of the first goroutine")
                .filteredOn(it -> it.getValue().startsWith("heddle-worker"))
                .isEmpty();
        assertThat(initialisers.keySet())
                .as("while the scheduler is made: a start near the end of a stack could not initialise them")
                .containsSubsequence("StackReserve", "Machine")
                .containsSubsequence("CreationSite", "Machine");
    }

    @Test
    void withoutTheFlagsItEndsWithOneSentenceThatNamesThem() throws InterruptedException {
        ChildJvm.Result result = ChildJvm.withoutFlags(OneGoroutine.class).run();
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.err())
                .startsWith("Heddle may not use java.base/jdk.internal.misc of JDK 25")
                .contains("-javaagent:heddle.jar")
                .contains(Access.flags());
    }

    /// One flag that is missing is enough, whichever it is.
    @Test
    void eachMissingFlagIsNamed() throws InterruptedException {
        for (String missing : Access.flags().split(" ")) {
            String[] others = Arrays.stream(Access.flags().split(" "))
                    .filter(it -> !it.equals(missing))
                    .toArray(String[]::new);
            ChildJvm.Result result =
                    ChildJvm.withoutFlags(OneGoroutine.class).option(others).run();
            String name = missing.substring(missing.indexOf('/') + 1, missing.lastIndexOf('='));
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err()).startsWith("Heddle may not use java.base/" + name + " of JDK 25");
        }
    }

    /// An older Java cannot even load the classes, and says so itself: "class file version 69.0", that is Java 25.
    @Test
    void anOlderJavaNamesTheVersionThatItWouldNeed() throws Exception {
        Path java = olderJava();
        assumeTrue(java != null, "no Java older than 25 on the PATH");
        ChildJvm.Result result =
                ChildJvm.withoutFlags(OneGoroutine.class).java(java).run();
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.err()).contains("UnsupportedClassVersionError").contains("69.0");
    }

    private static Path olderJava() throws Exception {
        String path = System.getenv("PATH");
        for (String directory : path == null ? new String[0] : path.split(File.pathSeparator)) {
            Path java = Path.of(directory, "java");
            if (Files.isExecutable(java)) {
                Path release = java.toRealPath().getParent().resolveSibling("release");
                boolean older = Files.exists(release)
                        && Files.readString(release)
                                .lines()
                                .anyMatch(it -> it.matches("JAVA_VERSION=\"(1\\.|9|1\\d|2[0-4])\\b.*"));
                return older ? java : null;
            }
        }
        return null;
    }
}
