package dev.heddle.trace.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.trace.Recording;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Exports a recording in all formats, and checks what comes out.
public final class ExportChecks {

    private ExportChecks() {}

    /// By the tests' own readers of these formats.
    public static void check(Recording recording) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        GoExport.write(recording, GoVersion.GO_26, out);
        assertThat(GoChecker.check(out.toByteArray())).isNotEmpty();
        out.reset();
        PerfettoExport.write(recording, out);
        assertThat(PerfettoChecker.check(out.toByteArray()).tracks).contains("P0", "runnable");
        out.reset();
        JsonExport.write(recording, out);
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .allSatisfy(it -> assertThat(it).startsWith("{").endsWith("}"));
    }

    /// The Go of `-Dheddle.test.go`; the test is skipped if that is not set.
    public static Path go() {
        String go = System.getProperty("heddle.test.go", "");
        assumeTrue(!go.isEmpty(), "no Go is named by -Dheddle.test.go=/path/of/go");
        return Path.of(go);
    }

    public static void readByGo(Path go, Recording recording, Path file) throws IOException, InterruptedException {
        for (GoVersion version : GoVersion.values()) {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                GoExport.write(recording, version, out);
            }
            Path parsed = file.resolveSibling("parsed.txt");
            Process process = new ProcessBuilder(go.toString(), "tool", "trace", "-d=parsed", file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(parsed.toFile())
                    .start();
            assertThat(process.waitFor()).as(() -> lastLineOf(parsed)).isZero();
        }
    }

    /// The folder of `-Dheddle.test.perfetto`, with Perfetto's trace processor; the test is skipped if that is not set.
    public static Path perfetto() {
        String folder = System.getProperty("heddle.test.perfetto", "");
        assumeTrue(!folder.isEmpty(), "no Perfetto is named by -Dheddle.test.perfetto=/path/of/package");
        return Path.of(folder);
    }

    /// Perfetto's trace processor reads the export without a complaint, and finds the runs that our own reader finds.
    public static void readByPerfetto(Path folder, Recording recording, Path file)
            throws IOException, InterruptedException, URISyntaxException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            PerfettoExport.write(recording, out);
        }
        PerfettoChecker own = PerfettoChecker.check(Files.readAllBytes(file));
        Path answer = file.resolveSibling("perfetto.txt");
        Path query =
                Path.of(ExportChecks.class.getResource("/perfetto/query.cjs").toURI());
        Process process = new ProcessBuilder(
                        "node",
                        query.toString(),
                        folder.toString(),
                        file.toString(),
                        "select count(*) as runs from sched where utid != 0 and dur >= 0",
                        "select count(*) as slices from slice where dur >= 0",
                        "select name, value from stats where severity in ('error', 'data_loss') and value != 0")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(answer.toFile())
                .start();
        assertThat(process.waitFor()).isZero();
        assertThat(Files.readAllLines(answer))
                .containsExactly("runs=" + own.runs.size(), "slices=" + own.slices.size());
    }

    private static String lastLineOf(Path file) {
        try {
            return Files.readAllLines(file).getLast();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
