package dev.heddle.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/// Made-up figures in all three reports.
final class ReportTest {

    private static final List<String> PEERS = List.of("heddle", "drop-in", "jdk", "go");

    private final Results results = new Results(/* isQuick= */ true);

    @BeforeEach
    void measure() {
        for (int run = 1; run <= 3; run++) {
            results.add(Workload.PING_PONG, "heddle", Map.of("wall", run * 50_000 * 100.0, "cpu", 1.0));
            results.add(Workload.PING_PONG, "drop-in", Map.of("wall", run * 50_000 * 400.0, "cpu", 1.0));
            results.add(Workload.PING_PONG, "jdk", Map.of("wall", run * 50_000 * 200.0, "cpu", 1.0));
            results.add(Workload.PING_PONG, "go", Map.of("wall", run * 50_000 * 50.0, "cpu", 1.0));
            results.add(Workload.HOGS, "heddle", Map.of("p50", 20_000.0, "p99", 3e6));
            results.add(Workload.HOGS, "jdk", Map.of("p50", Double.POSITIVE_INFINITY, "p99", Double.POSITIVE_INFINITY));
        }
    }

    @Test
    void textShowsMedianSpreadAndRatio() {
        assertThat(TextTable.of(Comparison.ofNative(results, PEERS))).isEqualTo("""
                Native: Heddle's goroutines and channels against each peer's own idiom
                                                                                      heddle             jdk                      go
                b ping-pong, unbuffered                                ns     200 (100..300)  400 (200..600)  x2.00  100 (50.0..150)  x0.50
                n1 lateness, 1 hog per processor, median               µs  20.0 (20.0..20.0)           never     x∞                -
                n1 lateness, 1 hog per processor, 99 of 100 are below  ms  3.00 (3.00..3.00)           never     x∞                -
                geometric mean                                                                                x2.00                   x0.50
                """);
    }

    @Test
    void dropInIsComparedWithTheSameProgramOnly() {
        Comparison comparison = Comparison.ofDropIn(results, PEERS);
        assertThat(comparison.others()).containsExactly("jdk");
        assertThat(comparison.ratios("jdk")).containsExactly(0.5);
    }

    @Test
    void nothingIsComparedWithoutAPeer() {
        assertThat(Comparison.ofNative(results, List.of("heddle", "drop-in")).isEmpty())
                .isTrue();
        assertThat(Comparison.ofNative(new Results(true), PEERS).isEmpty()).isTrue();
    }

    @Test
    void htmlNeedsNothingElseAndItsPlotsAreWellFormed() throws Exception {
        String html = HtmlReport.of(circumstances(), results, List.of(Comparison.ofNative(results, PEERS)));
        assertThat(html).doesNotContain("http", "src=", "<script").contains("x2.00", "never", "&lt;odd&gt; peer");
        String svg = html.substring(html.indexOf("<svg"), html.indexOf("</svg>") + "</svg>".length());
        var plot =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(plot.getElementsByTagName("circle").getLength()).isEqualTo(2 /* legend */ + 2 + 1 + 1);
    }

    @Test
    void jsonHasEveryRunAndNullForNever() {
        assertThat(JsonReport.of(circumstances(), results))
                .contains("\"jdk\": [200.0, 400.0, 600.0]", "\"jdk\": [null, null, null]", "\"quick\": true");
    }

    @Test
    void coresAreNamedIfTheyWereLookedAt() {
        assertThat(results.cores()).isEmpty();
        List.of(230.0, 40.0, 33.0).forEach(results::addLineTransfer);
        assertThat(results.cores())
                .hasValue("A cache line went from core to core in 40 ns (33..230), measured before every run");
        assertThat(JsonReport.of(circumstances(), results)).contains("\"lineTransferNanos\": [230.0, 40.0, 33.0]");
    }

    /// How long it takes is a figure of every report; where the other thread gets no core of its own there is none.
    @Test
    void theTimeOfACacheLineIsPositiveOrUnknown() throws InterruptedException {
        OptionalDouble nanos = LineTransfer.measure();
        assertThat(nanos.orElse(1)).isPositive().isFinite();
    }

    private static Circumstances circumstances() {
        List<Peer> peers = PEERS.stream()
                .map(it -> new Peer(it, "an <odd> peer", List.of(), Map.of()))
                .toList();
        return new Circumstances(
                Instant.EPOCH, "a machine", 0, 2, new Runner.Plan(1, 3, true), List.of("-Xmx1g"), peers);
    }
}
