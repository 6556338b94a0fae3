package dev.heddle.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A comparison of Heddle with other peers: the rows and columns of both the text and the HTML report.
///
/// @param title  what is compared
/// @param base   the peer whose figures are the divisors of all ratios
/// @param others the peers of the other columns
/// @param rows   one row for each measure of each workload
record Comparison(String title, String base, List<String> others, List<Row> rows) {

    /// @param label  the workload, and the measure if it has several
    /// @param measure what is shown
    /// @param unit   the unit of all figures in the row
    /// @param own    the figure of the base, which is Heddle or its drop-in
    /// @param theirs the figures of the other peers by name; a peer without a figure is missing
    record Row(String id, String label, Measure measure, Scaled unit, Spread own, Map<String, Spread> theirs) {

        /// The other peer's figure divided by Heddle's. Empty if the peer has no figure, or if the measure
        /// is only a count.
        Optional<Double> ratio(String other) {
            return measure.unit() == Measure.Unit.COUNT
                    ? Optional.empty()
                    : Optional.ofNullable(theirs.get(other)).map(it -> it.dividedBy(own));
        }
    }

    /// Heddle's own idiom against the idioms of all other peers.
    static Comparison ofNative(Results results, List<String> peers) {
        return of(
                "Native: Heddle's goroutines and channels against each peer's own idiom",
                Peer.HEDDLE,
                peers.stream()
                        .filter(it -> !it.equals(Peer.HEDDLE) && !it.equals(Peer.DROP_IN))
                        .toList(),
                results);
    }

    /// The same program of plain virtual threads on both schedulers.
    static Comparison ofDropIn(Results results, List<String> peers) {
        return of(
                "Drop-in: the same program of virtual threads and java.util.concurrent on both schedulers",
                Peer.DROP_IN,
                peers.stream().filter(Peer.JDK::equals).toList(),
                results);
    }

    private static Comparison of(String title, String base, List<String> others, Results results) {
        List<Row> rows = new ArrayList<>();
        for (Workload workload : results.workloads()) {
            for (Measure measure : workload.measures) {
                Map<String, Spread> theirs = new LinkedHashMap<>();
                for (String other : others) {
                    results.spread(workload, measure, other).ifPresent(it -> theirs.put(other, it));
                }
                String label = measure.label().isEmpty() ? workload.title : workload.title + ", " + measure.label();
                results.spread(workload, measure, base)
                        .ifPresent(own -> rows.add(new Row(
                                workload.id, label, measure, Scaled.fitting(measure, own.median()), own, theirs)));
            }
        }
        return new Comparison(title, base, others, rows);
    }

    /// Whether there is nothing to compare: no row, or no other peer.
    boolean isEmpty() {
        return rows.isEmpty() || others.isEmpty();
    }

    /// A peer's figure divided by Heddle's, for each row in which both have one.
    List<Double> ratios(String other) {
        return rows.stream().flatMap(it -> it.ratio(other).stream()).toList();
    }
}
