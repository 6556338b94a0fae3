package dev.heddle.testing;

import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Access;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The command line of a second JVM, for what can happen only once in a JVM, or must not happen in the one that runs
/// the tests. [#run()] waits for its end; [#start()] lets a test talk to it while it runs.
///
/// The settings of Heddle and of the JVM in this process's environment are not passed on.
public final class ChildJvm {

    private final List<String> command = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final List<String> program;
    private final Map<String, String> environment = new HashMap<>();
    private @Nullable File directory;
    private int seconds = 240;

    /// How it ended, and what it printed.
    public record Result(int exitCode, String out, String err) {

        /// The lines of standard output, then those of standard error.
        public List<String> lines() {
            return (out + err).lines().toList();
        }

        @Override
        public String toString() {
            return "exit code " + exitCode + "\n--- out\n" + out + "--- err\n" + err;
        }
    }

    private ChildJvm(String java, List<String> program) {
        this.command.add(java);
        this.program = List.copyOf(program);
    }

    /// Heddle as a library, with the flags that it asks for.
    public static ChildJvm of(Class<?> main, String... arguments) {
        return withoutFlags(main, arguments)
                .option(Access.flags().split(" "))
                .option("--enable-native-access=ALL-UNNAMED"); // otherwise the JVM warns on standard error
    }

    /// Heddle on the class path, but without the flags that it asks for.
    public static ChildJvm withoutFlags(Class<?> main, String... arguments) {
        return withClassPath(home(main) + File.pathSeparator + home(Scheduler.class), main, arguments);
    }

    /// Only the folder or jar of `main` on the class path: Heddle comes from an agent, or not at all.
    public static ChildJvm withoutHeddle(Class<?> main, String... arguments) {
        return withClassPath(home(main).toString(), main, arguments);
    }

    /// This class path and nothing else.
    public static ChildJvm withClassPath(String path, Class<?> main, String... arguments) {
        List<String> program = new ArrayList<>(List.of("-cp", path, main.getName()));
        program.addAll(List.of(arguments));
        return ofWords(program);
    }

    /// The words that follow `java`, for programs that are no main class of the tests.
    public static ChildJvm ofWords(List<String> words) {
        return new ChildJvm(tool("java").toString(), words);
    }

    /// A whole command line, whose first word is `java`.
    public static ChildJvm ofCommand(List<String> command) {
        return new ChildJvm(command.getFirst(), command.subList(1, command.size()));
    }

    /// Adds options of the JVM.
    public ChildJvm option(String... flags) {
        options.addAll(List.of(flags));
        return this;
    }

    public ChildJvm environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /// Another `java` than the one that runs this test.
    public ChildJvm java(Path java) {
        command.set(command.size() - 1, java.toString());
        return this;
    }

    /// Puts words before `java`, such as `taskset -c 0`.
    public ChildJvm under(String... words) {
        command.addAll(0, List.of(words));
        return this;
    }

    public ChildJvm directory(Path folder) {
        directory = folder.toFile();
        return this;
    }

    /// How long [#run()] waits. Then it prints the child's threads, kills it and fails.
    public ChildJvm timeLimit(int limit) {
        seconds = limit;
        return this;
    }

    ProcessBuilder toProcess() {
        List<String> words = new ArrayList<>(command);
        words.addAll(options);
        words.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(words).directory(directory);
        builder.environment().keySet().removeIf(ChildJvm::isSetting);
        builder.environment().putAll(environment);
        return builder;
    }

    private static boolean isSetting(String name) {
        return name.startsWith("HEDDLE_")
                || name.equals("GOMAXPROCS")
                || name.equals("JAVA_TOOL_OPTIONS")
                || name.equals("JDK_JAVA_OPTIONS");
    }

    /// Starts it, with its standard input and output connected to the test.
    public LiveJvm start() throws IOException {
        return new LiveJvm(this);
    }

    /// Runs it, with an empty standard input, to its end. Fails if it does not end within the time limit.
    public Result run() throws InterruptedException {
        try {
            Path out = Files.createTempFile("heddle-child", ".out");
            Path err = Files.createTempFile("heddle-child", ".err");
            try {
                Process process = toProcess()
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
                process.getOutputStream().close();
                boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
                if (!ended) {
                    printThreadsAndKill(process);
                }
                Result result = new Result(process.exitValue(), Files.readString(out), Files.readString(err));
                if (!ended) {
                    throw new AssertionError("killed after " + seconds + " s: " + this + "\n" + result);
                }
                return result;
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Runs it, and fails unless it ends with exit code 0. Returns what it printed to standard output.
    public String succeed() throws InterruptedException {
        Result result = run();
        if (result.exitCode() != 0) {
            throw new AssertionError(this + ": " + result);
        }
        return result.out();
    }

    static void signal(Process process, String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    static void printThreadsAndKill(Process process) throws IOException, InterruptedException {
        signal(process, "QUIT");
        process.waitFor(2, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
    }

    /// A command of the JDK that runs this test.
    public static Path tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name);
    }

    /// The folder or jar that a class was loaded from.
    public static Path home(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return String.join(" ", program);
    }
}
