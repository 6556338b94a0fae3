package dev.heddle.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BenchTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --frobnicate       | Unknown option: '--frobnicate'
            frobnicate         | there is no workload 'frobnicate'
            --peers frobnicate | there is no peer 'frobnicate'
            --rounds 0         | rounds and processors begin at 1
            --procs 0          | rounds and processors begin at 1
            steal --frobnicate | Unknown option: '--frobnicate'
            testkit --rounds 0 | rounds and schedules begin at 1
            --procs x          | Invalid value for option '--procs': 'x' is not an int
            """)
    void wrongUsageIsAnsweredByOneSentence(String line, String sentence) {
        StringWriter err = new StringWriter();
        int code = Bench.commandLine().setErr(new PrintWriter(err)).execute(line.split(" "));
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("heddle: " + sentence + "; 'heddle bench --help' shows what there is.\n");
    }

    @Test
    void theTestkitRunsItsSchedules() {
        assumeTrue(Files.isRegularFile(Installation.testkit()), "the testkit is packaged");
        assertThat(Bench.commandLine().execute("testkit", "--rounds", "1", "--schedules", "100"))
                .isZero();
    }

    @Test
    void heddleAndTheJdkTakeTurns(@TempDir Path folder) throws Exception {
        assumeTrue(Files.isRegularFile(Installation.locate().heddle()), "the agent is packaged");
        Path json = folder.resolve("figures.json");
        Path html = folder.resolve("report.html");
        int code = Bench.commandLine()
                .execute(("fib --quick --rounds 1 --warmup 0 --peers jdk --procs 2 --jvm -XX:+UseSerialGC --json "
                                + json + " --html " + html)
                        .split(" "));
        assertThat(code).isZero();
        assertThat(json).content().contains("\"heddle\": [", "\"drop-in\": [", "\"jdk\": [", "\"failures\": []");
        assertThat(html).content().contains("fork and join", "<svg");
    }
}
