package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    private Path source(String body) throws IOException {
        return Files.writeString(
                folder.resolve("Program.java"),
                "public class Program { public static void main(String[] args) throws Exception { " + body + " } }");
    }

    private static int run(String... arguments) {
        String[] line = new String[arguments.length + 1];
        line[0] = "run";
        System.arraycopy(arguments, 0, line, 1, arguments.length);
        return Heddle.commandLine().execute(line);
    }
}
