package dev.heddle.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/// Writes docs/conformance.md from `table.tsv` and what the tests of this run said.
///
/// JUnit finds it through META-INF/services. A run of only some tests shows the others as not run.
public final class ConformanceTable implements TestExecutionListener {
    /// One of Go's tests.
    private record Row(
            String file,
            String test,
            String checks,
            @Nullable String elsewhere) {
        String key() {
            return file + "\t" + test;
        }
    }

    /// What the runs of one test method said so far.
    private record Outcome(GoTest test, Method method, int passed, int failed) {
        Outcome plus(boolean success) {
            return new Outcome(test, method, success ? passed + 1 : passed, success ? failed : failed + 1);
        }

        String text() {
            if (failed > 0) {
                return "**failed** (" + failed + " of " + (passed + failed) + " runs)";
            }
            return test.adapted().isEmpty() ? "passed" : "adapted, passed";
        }
    }

    private final Map<Method, Outcome> outcomes = new ConcurrentHashMap<>();

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        if (identifier.isTest() && identifier.getSource().orElse(null) instanceof MethodSource source) {
            Method method = source.getJavaMethod();
            GoTest test = method.getAnnotation(GoTest.class);
            if (test != null) {
                boolean success = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
                outcomes.compute(
                        method,
                        (_, before) -> Objects.requireNonNullElseGet(before, () -> new Outcome(test, method, 0, 0))
                                .plus(success));
            }
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        String path = System.getProperty("heddle.conformance.table");
        if (path == null || outcomes.isEmpty()) {
            return;
        }
        try {
            Path target = Path.of(path).toAbsolutePath();
            Files.createDirectories(Objects.requireNonNull(target.getParent()));
            Files.writeString(target, render(readRows()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the conformance table to " + path, e);
        }
    }

    private String render(List<Row> rows) {
        var byKey = new TreeMap<String, Outcome>();
        for (Outcome outcome : outcomes.values()) {
            for (String name : outcome.test().value()) {
                byKey.put(outcome.test().file() + "\t" + name, outcome);
            }
        }
        var counts = new LinkedHashMap<String, Integer>();
        for (String kind : List.of("passed", "adapted", "elsewhere", "not applicable", "open", "not run", "failed")) {
            counts.put(kind, 0);
        }
        var body = new StringBuilder();
        String file = "";
        for (Row row : rows) {
            if (!row.file().equals(file)) {
                file = row.file();
                body.append("\n## ")
                        .append(file)
                        .append("\n\n| Go's test | checks | result | note |\n|---|---|---|---|\n");
            }
            Outcome outcome = byKey.remove(row.key());
            String result = outcome == null ? withoutTest(row) : outcome.text();
            counts.merge(kind(result), 1, Integer::sum);
            body.append("| ").append(row.test()).append(" | ").append(row.checks());
            body.append(" | ")
                    .append(result)
                    .append(" | ")
                    .append(note(row, outcome))
                    .append(" |\n");
        }
        if (!byKey.isEmpty()) {
            throw new IllegalStateException("tests without a row in table.tsv: " + byKey.keySet());
        }
        return header(rows.size(), counts) + body;
    }

    private static String withoutTest(Row row) {
        String elsewhere = row.elsewhere();
        if (elsewhere == null) {
            return "not run";
        }
        if (elsewhere.startsWith("in:")) {
            return "elsewhere";
        }
        return elsewhere.startsWith("not:") ? "not applicable" : "open";
    }

    private static String kind(String result) {
        if (result.startsWith("**")) {
            return "failed";
        }
        return result.startsWith("adapted") ? "adapted" : result;
    }

    private static String note(Row row, @Nullable Outcome outcome) {
        if (outcome != null) {
            String test = outcome.method().getDeclaringClass().getSimpleName() + "."
                    + outcome.method().getName();
            return outcome.test().adapted().isEmpty()
                    ? test
                    : test + ": " + outcome.test().adapted();
        }
        String elsewhere = row.elsewhere();
        return elsewhere == null
                ? ""
                : elsewhere.substring(elsewhere.indexOf(':') + 1).strip();
    }

    private static String header(int rows, Map<String, Integer> counts) {
        var text = new StringBuilder("# Go's own tests on Heddle\n\n");
        text.append("The tests of `conformance/` generate this page; do not edit it. Each test is written for Heddle ");
        text.append("and named after the\ntest of Go 1.27 that it stands for. It runs on a goroutine, with 1, 2 and ");
        text.append("8 processors. This command renews the page:\n\n");
        text.append("    mvn -pl conformance -am test -Dheddle.conformance.table=../docs/conformance.md\n\n");
        text.append("| rows |");
        counts.forEach((kind, _) -> text.append(' ').append(kind).append(" |"));
        text.append("\n|---|")
                .append("---|".repeat(counts.size()))
                .append("\n| ")
                .append(rows)
                .append(" |");
        counts.forEach((_, count) -> text.append(' ').append(count).append(" |"));
        return text.append("\n\n*adapted*: the note says what differs and why. *elsewhere*: another module tests it. ")
                .append("*open*: needs something that\nHeddle does not have yet.\n")
                .toString();
    }

    private static List<Row> readRows() throws IOException {
        var stream = Objects.requireNonNull(ConformanceTable.class.getResourceAsStream("table.tsv"));
        try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            var rows = new ArrayList<Row>();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] cells = line.split("\t", -1);
                    rows.add(new Row(cells[0], cells[1], cells[2], cells.length > 3 ? cells[3] : null));
                }
            }
            return rows;
        }
    }
}
