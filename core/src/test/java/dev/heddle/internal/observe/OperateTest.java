package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.internal.wire.JsonReader;
import dev.heddle.stats.Metric;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The dashboard, the alerts and the runbook in docs/operate fit the metrics, and Prometheus' own checker accepts both.
final class OperateTest {

    private static final Path OPERATE = Path.of("..", "docs", "operate");
    private static final Pattern METRIC = Pattern.compile("\\b(?:go_sched|heddle)_[a-z_]+");
    private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");

    private static Set<String> metrics() {
        Set<String> names = new TreeSet<>(Metric.ALL.stream().map(Metric::name).toList());
        names.add(Metric.queueLength(0).name());
        Stream.of("_bucket", "_count", "_sum").forEach(it -> names.add(Metric.LATENCIES + it));
        return names;
    }

    private static String read(String file) throws IOException {
        return Files.readString(OPERATE.resolve(file));
    }

    private static Set<String> found(Pattern pattern, int group, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult it) -> it.group(group))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"heddle-alerts.yml", "heddle-alerts-test.yml", "heddle-dashboard.json", "runbook.md"})
    void everyMetricThatIsNamedExists(String file) throws IOException {
        Set<String> named = found(METRIC, 0, read(file));

        assertThat(named).isNotEmpty().isSubsetOf(metrics());
    }

    @Test
    void everyAlertHasATestAndASectionOfTheRunbook() throws IOException {
        Set<String> alerts = found(ALERT, 1, read("heddle-alerts.yml"));
        String runbook = read("runbook.md");
        String tests = read("heddle-alerts-test.yml");

        assertThat(alerts).hasSize(8).allSatisfy(it -> {
            assertThat(runbook).contains("\n## " + it + "\n");
            assertThat(read("heddle-alerts.yml"))
                    .contains("runbook: runbook.md#" + it.toLowerCase(java.util.Locale.ROOT));
            assertThat(tests).contains("alertname: " + it + "\n        exp_alerts:\n          - exp_labels:");
            assertThat(tests).contains("alertname: " + it + "\n        exp_alerts: []");
        });
    }

    @Test
    void theDashboardIsJsonAndItsPanelsAskSomething() throws IOException {
        String text = read("heddle-dashboard.json");

        assertThat(JsonReader.read(text)).isInstanceOf(java.util.Map.class);
        assertThat(found(Pattern.compile("\"expr\": \"(.+)\""), 1, text)).hasSizeGreaterThan(30);
    }

    @Test
    void promtoolAcceptsTheMetrics() throws Exception {
        requirePromtool();
        String text = PrometheusText.of(List.of(Pictures.scheduler("a", 12), Pictures.scheduler("b\"\n", 3)));

        assertThat(promtool(text, "check", "metrics")).isEmpty();
    }

    @Test
    void promtoolAcceptsTheRulesAndTheirTestsHold() throws Exception {
        requirePromtool();

        assertThat(promtool("", "check", "rules", "heddle-alerts.yml")).contains("SUCCESS: 8 rules found");
        assertThat(promtool("", "test", "rules", "heddle-alerts-test.yml")).contains("SUCCESS");
    }

    private static void requirePromtool() {
        boolean isThere = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(it -> Files.isExecutable(Path.of(it, "promtool")));
        assumeTrue(isThere, "promtool is not installed; on Debian it is in the package prometheus");
    }

    /// What it prints; fails if its exit code is not 0.
    private static String promtool(String input, String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Stream.concat(Stream.of("promtool"), Stream.of(words)).toList())
                .directory(OPERATE.toFile())
                .redirectErrorStream(true)
                .start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
