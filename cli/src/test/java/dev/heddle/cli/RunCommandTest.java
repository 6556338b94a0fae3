package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Real programs in JVMs of their own; they tell by their exit code what they saw.
final class RunCommandTest {

    @TempDir
    private Path folder;

    @Test
    void theExitCodeIsTheProgramsAndArgumentsArrive() throws IOException {
        Path program = source("System.exit(Integer.getInteger(\"base\") + Integer.parseInt(args[1]));");

        assertThat(run("-Dbase=40", program.toString(), "-n", "2")).isEqualTo(42);
    }

    /// Goroutines always; plain virtual threads too if there is a jar to be the agent (not in `mvn test`).
    @Test
    void goroutinesAndVirtualThreadsRunOnHeddle() throws IOException {
        Path program = source("""
                var goroutine = new java.util.concurrent.CompletableFuture<Long>();
                dev.heddle.Go.go(() -> goroutine.complete(dev.heddle.Go.numGoroutine()));
                goroutine.join();
                while (dev.heddle.Go.numGoroutine() > 0) {
                    Thread.sleep(1); // it has given its answer and is about to end
                }
                var thread = new java.util.concurrent.CompletableFuture<Long>();
                Thread.startVirtualThread(() -> thread.complete(dev.heddle.Go.numGoroutine()));
                System.exit(thread.join() > 0 ? 2 : 1);
                """);

        assertThat(run(program.toString())).isEqualTo(Files.isRegularFile(HeddleJar.locate()) ? 2 : 1);
    }

    @Test
    void aProgramThatThrowsFails() throws IOException {
        Path program = source("System.err.close(); throw new IllegalStateException();");

        assertThat(run(program.toString())).isEqualTo(1);
    }

    /// `heddle run App.java & heddle dump $!`, and then Ctrl-C. A build in the background ignores SIGINT.
    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130"})
    void aSignalEndsTheProgramAndTheDoctorReports(String signal, int exitCode) throws Exception {
        assumeTrue(signal.equals("TERM") || !Targets.isInterruptIgnored(), "SIGINT is ignored here");
        Path program = source("""
                dev.heddle.Go.go(() -> Thread.sleep(1_000_000));
                System.out.println("ready");
                Thread.sleep(1_000_000);
                """);
        String classPath = System.getProperty("java.class.path");
        try (LiveJvm launcher = ChildJvm.withClassPath(classPath, Heddle.class, "run", "--doctor", program.toString())
                .option("-Djava.io.tmpdir=" + folder)
                .start()) {
            assertThat(launcher.readLine()).isEqualTo("ready");
            assertThat(HeddleResult.of("dump", Long.toString(launcher.pid())).out())
                    .as("of the program behind the launcher")
                    .contains("[sleep]");
            everyReportNamesTheProgramBehind(launcher);
            assertThat(recordings()).hasSize(1);

            launcher.signal(signal);

            assertThat(launcher.waitFor()).isEqualTo(exitCode);
            assertThat(launcher.err()).contains("heddle doctor");
            assertThat(recordings()).isEmpty();
        }
    }

    @Test
    void aRecordingHasStacksOnRequest() throws Exception {
        Path file = folder.resolve("a.trace");
        Path program = source("dev.heddle.Go.main(() -> Thread.sleep(5));");

        HeddleResult run =
                HeddleResult.of("run", "--trace", file.toString(), "--stacks", "every:1", program.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(HeddleResult.of("trace", "summary", file.toString()).out())
                .contains("where goroutines parked, by stacks");

        assertThat(HeddleResult.of("run", "--stacks", "every:1", program.toString())
                        .err())
                .startsWith(
                        "heddle: --stacks every:1 is refused: it must be every:N, such as every:10, after --trace F;");
    }

    /// The recorder's shutdown hook is Heddle's own: no goroutine could be woken by it.
    @Test
    void theDoctorsRecorderHidesNoDeadlock() throws Exception {
        Path program = source("dev.heddle.Go.main(() -> dev.heddle.Chan.make().receive());");
        String classPath = System.getProperty("java.class.path");
        try (LiveJvm launcher = ChildJvm.withClassPath(classPath, Heddle.class, "run", "--doctor", program.toString())
                .option("-Djava.io.tmpdir=" + folder)
                .start()) {
            assertThat(launcher.waitFor()).as(launcher.err()).isEqualTo(2);
            assertThat(launcher.err())
                    .contains("fatal error: all goroutines are asleep - deadlock!")
                    .contains("heddle doctor");
        }
        assertThat(recordings()).isEmpty();
    }

    /// A script that asked for the launcher goes on with the number of the process that was found.
    private static void everyReportNamesTheProgramBehind(LiveJvm launcher) {
        long program = ProcessHandle.of(launcher.pid())
                .flatMap(it -> it.children().findFirst())
                .orElseThrow()
                .pid();
        String pid = Long.toString(launcher.pid());
        assertThat(HeddleResult.of("dump", pid, "--json").out()).contains("\"pid\":" + program + ",");
        assertThat(HeddleResult.of("leaks", pid).out()).startsWith("process " + program + ": ");
    }

    private List<Path> recordings() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(it -> it.toString().endsWith(".recording")).toList();
        }
    }

    @Test
    void aModuleRuns() throws IOException {
        Path sources = Files.createDirectories(folder.resolve("app"));
        Files.writeString(folder.resolve("module-info.java"), "module app {}");
        Files.writeString(sources.resolve("Main.java"), """
                package app;
                public class Main {
                    public static void main(String[] args) {
                        System.exit(Main.class.getModule().isNamed() ? Integer.parseInt(args[0]) : 1);
                    }
                }
                """);
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-d",
                        folder.resolve("out").toString(),
                        folder.resolve("module-info.java").toString(),
                        sources.resolve("Main.java").toString());
        assertThat(compiled).isZero();

        assertThat(run("-p", folder.resolve("out").toString(), "-m", "app/app.Main", "42"))
                .isEqualTo(42);
    }

    private Path source(String body) throws IOException {
        return Files.writeString(
                folder.resolve("Program.java"),
                "public class Program { public static void main(String[] args) throws Throwable { " + body + " } }");
    }

    private static int run(String... arguments) {
        String[] line = new String[arguments.length + 1];
        line[0] = "run";
        System.arraycopy(arguments, 0, line, 1, arguments.length);
        return Heddle.commandLine().execute(line);
    }
}
