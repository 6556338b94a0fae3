package dev.heddle.model;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Lets Spin search every interleaving of the protocol models in docs/model: the models of what the kernel does have no
/// error, and each mutant has one, with a trail that shows how it comes about. The searches use one CPU each, so they
/// run beside each other, one per CPU.
@Tag("model")
class SpinModelTest {

    private static final Path MODELS = Path.of("..", "docs", "model");
    private static final Path WORK = Path.of("target", "model");
    private static final long LIMIT_SECONDS = 240;

    /// A model and the definitions that choose its scenario and its mutant.
    private record Run(String model, List<String> defines) {

        static Run of(String line) {
            List<String> words = List.of(line.split(" +"));
            return new Run(words.getFirst(), words.subList(1, words.size()));
        }

        Path directory() {
            return WORK.resolve(model + String.join("", defines).replace('=', '-'));
        }

        @Override
        public String toString() {
            return model + " " + String.join(" ", defines);
        }
    }

    static final List<Run> CORRECT = Stream.of(
                    "wake RUNNING=2 SUBMITS=2", // two busy processors, and nobody to be woken
                    "wake RUNNING=1 SUBMITS=2", // one parked machine, one idle processor
                    "wake RUNNING=1 SUBMITS=1 INJECTS=1", // a platform thread submits too
                    "wake RUNNING=1 SUBMITS=0 INJECTS=2", // batches from the global queue
                    "wake RUNNING=1 SUBMITS=1 TAKES=1", // a processor is taken away
                    "wake RUNNING=2 SUBMITS=2 THEFTS=1", // threads that yielded change their processor
                    "wake RUNNING=1 BORN=1 SUBMITS=2", // machines have to be made, or cannot be
                    "wake NM=3 RUNNING=2 SUBMITS=1",
                    "wake RUNNING=2 SUBMITS=1 YIELDS=2", // yields, and where those who yielded go
                    "wake RUNNING=1 SUBMITS=0 INJECTS=1 YIELDS=1",
                    "ownership",
                    "sleeper",
                    "sleeper SOCKETS",
                    "sleeper INJECT", // at the limit of threads
                    "ring",
                    "shell",
                    "heaplock")
            .map(Run::of)
            .toList();

    static final List<Run> MUTANTS = Stream.of(
                    "wake SUBMITS=2 NO_FENCE",
                    "wake SUBMITS=2 NO_SCAN_AFTER_NAP",
                    "wake SUBMITS=2 NAP_NO_FENCE",
                    "wake SUBMITS=2 NO_NAP_END",
                    "wake SUBMITS=1 NO_RECHECK",
                    "wake RUNNING=2 SUBMITS=2 NO_NEED",
                    "wake RUNNING=2 SUBMITS=2 NO_NEED_CHECK",
                    "wake RUNNING=2 SUBMITS=2 THEFTS=1 THEFT_WAKES_NOBODY",
                    "wake SUBMITS=0 INJECTS=2 BATCH_AFTER_UNLOCK",
                    "wake SUBMITS=0 INJECTS=2 BATCH_LETS_NAP",
                    "wake SUBMITS=1 INJECTS=1 INJECT_LETS_NAP",
                    "wake SUBMITS=2 TAKES=1 START_LETS_NAP",
                    "wake SUBMITS=1 TAKES=1 LOST_GRANT_PARKS",
                    "wake RUNNING=2 SUBMITS=2 NEED_BEFORE_TOKEN",
                    "wake RUNNING=2 SUBMITS=2 NEED_AFTER_UNLOCK",
                    "wake RUNNING=2 SUBMITS=1 YIELDS=2 NAPS=0 MOVE_WAKES_NOBODY",
                    "ownership NO_PID",
                    "ownership NO_SEQ",
                    "ownership BLIND_EXIT",
                    "sleeper STOPM",
                    "sleeper SOCKETS SOCKETS_BEFORE_ROLE",
                    "sleeper SOCKETS ADOPT_WAKES_NOBODY",
                    "sleeper INJECT PENDING_UNSEEN",
                    "sleeper INJECT LAUNCH_WAKES_NOBODY",
                    "ring THIEF_CLEARS",
                    "ring USE_BEFORE_CAS",
                    "shell STASH",
                    "heaplock CALLBACK_UNDER_LOCK")
            .map(Run::of)
            .toList();

    private static final Map<Run, Future<String>> SEARCHES = new HashMap<>();
    private static final ExecutorService SEARCHERS =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

    @BeforeAll
    static void startSearches() {
        for (String tool : List.of("spin", "gcc")) {
            assumeTrue(isInstalled(tool), () -> "The protocol models were not checked: " + tool + " is not installed.");
        }
        Stream.concat(CORRECT.stream(), MUTANTS.stream())
                .forEach(run -> SEARCHES.put(run, SEARCHERS.submit(() -> search(run))));
    }

    @AfterAll
    static void endSearches() {
        SEARCHERS.shutdownNow();
    }

    private static boolean isInstalled(String tool) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }

    @ParameterizedTest
    @FieldSource("CORRECT")
    void theProtocolHasNoError(Run run) throws Exception {
        assertThat(check(run))
                .as(run::toString)
                .contains("errors: 0")
                .doesNotContain("Search not completed", "max search depth too small");
    }

    @ParameterizedTest
    @FieldSource("MUTANTS")
    void theMutantIsCaught(Run run) throws Exception {
        assertThat(check(run))
                .as(run::toString)
                .contains("errors: 1")
                .containsAnyOf("assertion violated", "invalid end");
        assertThat(run.directory().resolve(run.model() + ".pml.trail")).isNotEmptyFile();
    }

    private static String check(Run run) throws Exception {
        return requireNonNull(SEARCHES.get(run)).get();
    }

    /// Spin writes a checker in C, which says what it found.
    private static String search(Run run) throws IOException, InterruptedException {
        Path directory = run.directory();
        Files.createDirectories(directory);
        String file = run.model() + ".pml";
        Files.deleteIfExists(directory.resolve(file + ".trail"));
        Files.writeString(directory.resolve(file), Files.readString(MODELS.resolve(file)));
        List<String> generate = new ArrayList<>(List.of("spin", "-a"));
        run.defines().forEach(define -> generate.add("-D" + define));
        generate.add(file);
        execute(directory, generate);
        // -O0: the searches are short, and optimizing the checker takes longer than it saves
        execute(directory, List.of("gcc", "-O0", "-w", "-DSAFETY", "-DMEMLIM=1800", "-o", "pan", "pan.c"));
        return execute(directory, List.of("./pan", "-m1000000"));
    }

    private static String execute(Path directory, List<String> command) throws IOException, InterruptedException {
        Path output = directory.resolve(Path.of(command.getFirst()).getFileName() + ".out");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("%s ended within %d s", command, LIMIT_SECONDS)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as("%s: %s", command, text).isZero();
        return text;
    }
}
