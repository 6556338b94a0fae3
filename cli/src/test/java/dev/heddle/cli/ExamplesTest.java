package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every program in `examples/` runs and ends well.
final class ExamplesTest {

    private static final Path EXAMPLES = Path.of("..", "examples");

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

    private static List<String> run(Path program, int procs) throws InterruptedException {
        ChildJvm child = ChildJvm.ofCommand(
                JavaCommand.parse(List.of(program.toString())).toCommandLine(HeddleJar.locate()));
        if (procs > 0) {
            child.environment("GOMAXPROCS", Integer.toString(procs));
        }
        ChildJvm.Result result = child.timeLimit(120).run();
        assertThat(result.exitCode()).as("%s", result).isZero();
        return result.lines();
    }
}
