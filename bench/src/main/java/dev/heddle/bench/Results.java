package dev.heddle.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The measurements, run by run.
final class Results {

    private final Map<Workload, Map<String, List<Map<String, Double>>>> runs = new EnumMap<>(Workload.class);
    private final List<String> failures = new ArrayList<>();
    private final List<Double> lineTransfers = new ArrayList<>();
    private final boolean isQuick;

    Results(boolean isQuick) {
        this.isQuick = isQuick;
    }

    void add(Workload workload, String peer, Map<String, Double> figures) {
        runs.computeIfAbsent(workload, _ -> new LinkedHashMap<>())
                .computeIfAbsent(peer, _ -> new ArrayList<>())
                .add(Map.copyOf(figures));
    }

    void addFailure(String sentence) {
        failures.add(sentence);
    }

    /// Adds the cache-line transfer time that was measured before a run, see [LineTransfer].
    void addLineTransfer(double nanos) {
        lineTransfers.add(nanos);
    }

    List<Double> lineTransfers() {
        return List.copyOf(lineTransfers);
    }

    /// One sentence about the distance of the cores; empty if there is no measurement.
    Optional<String> cores() {
        if (lineTransfers.isEmpty()) {
            return Optional.empty();
        }
        Spread spread = Spread.of(lineTransfers);
        return Optional.of(String.format(
                Locale.ROOT,
                "A cache line went from core to core in %.0f ns (%.0f..%.0f), measured before every run",
                spread.median(),
                spread.least(),
                spread.most()));
    }

    /// Sentences about failed runs.
    List<String> failures() {
        return List.copyOf(failures);
    }

    /// The workloads that have figures.
    Set<Workload> workloads() {
        return runs.keySet();
    }

    /// The scale at which a workload was run.
    Workload.Scale scale(Workload workload) {
        return workload.scale(isQuick);
    }

    /// The values of a measure, run by run; empty if the peer has none.
    List<Double> values(Workload workload, Measure measure, String peer) {
        return runs.getOrDefault(workload, Map.of()).getOrDefault(peer, List.of()).stream()
                .filter(it -> it.containsKey(measure.key()))
                .map(it -> measure.of(it.get(measure.key()), scale(workload).operations()))
                .toList();
    }

    Optional<Spread> spread(Workload workload, Measure measure, String peer) {
        List<Double> values = values(workload, measure, peer);
        return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
    }
}
