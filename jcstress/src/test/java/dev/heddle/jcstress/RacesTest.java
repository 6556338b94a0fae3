package dev.heddle.jcstress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.jdk.Access;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Runs jcstress in its own process: all classes named `Correct` must pass, and all others must fail.
///
/// The short form is part of `mvn verify`: one JVM configuration, half a second per race. The long form takes options
/// of jcstress, for instance all JVM configurations with `mvn -pl jcstress -am verify -Dtest=RacesTest
/// -Dsurefire.failIfNoSpecifiedTests=false -Dheddle.jcstress="-m default"`. Reports are in `jcstress/target/jcstress`.
@Timeout(value = 1, unit = TimeUnit.DAYS) // the process has its own limit
class RacesTest {
    private static final String LONG_FORM = System.getProperty("heddle.jcstress", "");
    private static final Path REPORTS = Path.of("target", "jcstress");

    /// The results of one run of jcstress.
    private record Verdict(Set<String> passed, Set<String> failed, String log) {}

    private static Verdict firstRun;

    @BeforeAll
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    static void runAll() throws Exception {
        var all = races(/* correct= */ true);
        all.addAll(races(/* correct= */ false));
        firstRun = run("all", all, 500);
    }

    @Test
    void theRightQueuesPass() throws Exception {
        var correct = races(/* correct= */ true);
        assertThat(correct).hasSizeGreaterThan(10);
        assertThat(firstRun.passed()).as(firstRun.log()).containsAll(correct);
    }

    /// Races depend on chance: variants that were not caught at first get more time.
    @Test
    void theBrokenQueuesAreCaught() throws Exception {
        var uncaught = races(/* correct= */ false);
        assertThat(uncaught).hasSizeGreaterThan(5);
        uncaught.removeAll(firstRun.failed());
        for (int attempt = 1; attempt <= 5 && !uncaught.isEmpty(); attempt++) {
            uncaught.removeAll(run("again-" + attempt, uncaught, 500 << attempt).failed());
        }
        assertThat(uncaught).as("broken variants that jcstress did not catch").isEmpty();
    }

    /// The races that jcstress's annotation processor listed.
    private static Set<String> races(boolean correct) throws IOException {
        var races = new TreeSet<String>();
        var name = Pattern.compile("(dev\\.heddle\\.jcstress\\.[A-Za-z]+)\\$([A-Za-z]+)");
        try (var list = Objects.requireNonNull(RacesTest.class.getResourceAsStream("/META-INF/TestList"))) {
            var found = name.matcher(new String(list.readAllBytes(), StandardCharsets.UTF_8));
            while (found.find()) {
                if (found.group(2).equals("Correct") == correct) {
                    races.add(found.group(1) + "." + found.group(2));
                }
            }
        }
        return races;
    }

    private static Verdict run(String name, Set<String> races, int millis) throws Exception {
        var directory = Files.createDirectories(REPORTS.resolve(name));
        var log = directory.resolve("log.txt");
        var command = new ArrayList<String>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-v",
                "-r",
                directory.toString(),
                "-t",
                races.stream().map(Pattern::quote).collect(Collectors.joining("|", "(", ")$"))));
        boolean isLong = !LONG_FORM.isBlank();
        command.addAll(
                isLong
                        ? Arrays.asList(LONG_FORM.trim().split("\\s+"))
                        : List.of(
                                "-f",
                                "1",
                                "-fsm",
                                "1",
                                "-iters",
                                "1",
                                "-time",
                                String.valueOf(millis),
                                "-sc",
                                "false",
                                "-af",
                                "NONE",
                                "-jvmArgs",
                                "-Xmx256m " + Access.flags()));
        if (isLong && !LONG_FORM.contains("-jvmArgs")) {
            command.addAll(List.of("-jvmArgs", Access.flags()));
        }
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(isLong ? 24 * 60 : 8, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("jcstress did not end in time; it said:\n" + Files.readString(log));
        }
        return verdict(Files.readString(log));
    }

    /// Reads the lines `..... [OK] name` and `..... [FAILED] name`; a race with several results fails if one
    /// does.
    private static Verdict verdict(String log) {
        var passed = new TreeSet<String>();
        var failed = new TreeSet<String>();
        var line = Pattern.compile("(?m)^\\.* *\\[(\\w[\\w ]*)] (dev\\.heddle\\.jcstress\\.\\S+)")
                .matcher(log);
        while (line.find()) {
            (line.group(1).equals("OK") ? passed : failed).add(line.group(2));
        }
        passed.removeAll(failed);
        return new Verdict(passed, failed, log);
    }
}
