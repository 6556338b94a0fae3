package dev.heddle.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What was measured, run by run.
final class Results {

    private final Map<Workload, Map<String, List<Map<String, Double>>>> runs = new EnumMap<>(Workload.class);
    private final List<String> failures = new ArrayList<>();
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

    /// Sentences about what went wrong.
    List<String> failures() {
        return List.copyOf(failures);
    }

    /// The workloads of which there are figures.
    Set<Workload> workloads() {
        return runs.keySet();
    }

    /// Scales of the sizes that were run.
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
