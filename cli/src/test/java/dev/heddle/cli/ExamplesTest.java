package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every program in `examples/` runs and ends well.
final class ExamplesTest {

    private static final Path EXAMPLES = Path.of("..", "examples");

    @TempDir
    private Path folder;

    static List<Path> programs() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.filter(it -> it.toString().endsWith(".java")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void runs(Path program) throws Exception {
        run(program, 0);
    }

    /// Go prints the same lines: the last goroutine sits in runnext, the others wait in order.
    @Test
    void helloOnOneProcessorSpeaksInGosOrder() throws Exception {
        List<String> expected = new ArrayList<>(List.of("hello from goroutine 9"));
        for (int i = 0; i < 9; i++) {
            expected.add("hello from goroutine " + i);
        }
        expected.add("all said, with GOMAXPROCS=1");

        assertThat(run(EXAMPLES.resolve("Hello.java"), 1)).containsExactlyElementsOf(expected);
    }

    private List<String> run(Path program, int procs) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        var process = new ProcessBuilder(
                        JavaCommand.parse(List.of(program.toString())).toCommandLine(HeddleJar.locate()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        if (procs > 0) {
            process.environment().put("GOMAXPROCS", Integer.toString(procs));
        }
        Process running = process.start();
        try {
            assertThat(running.waitFor(2, TimeUnit.MINUTES))
                    .as("%s ended", program)
                    .isTrue();
        } finally {
            running.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(output);
        assertThat(running.exitValue()).as("exit code, after %s", lines).isZero();
        return lines;
    }
}
