package dev.heddle.bench;

import dev.heddle.internal.wire.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All runs of all workloads, for programs. A figure of null means that the event never happened.
final class JsonReport {

    private JsonReport() {}

    static String of(Circumstances circumstances, Results results) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("time", circumstances.time());
        report.put("machine", circumstances.machine());
        report.put("loadAverage", circumstances.load());
        report.put("jdk", Runtime.version());
        report.put("procs", circumstances.procs());
        report.put("rounds", circumstances.plan().rounds());
        report.put("warmUps", circumstances.plan().warmUps());
        report.put("quick", circumstances.plan().isQuick());
        report.put("jvmOptions", circumstances.jvmOptions());
        Map<String, Object> peers = new LinkedHashMap<>();
        circumstances.peers().forEach(it -> peers.put(it.name(), it.description()));
        report.put("peers", peers);
        List<Object> workloads = new ArrayList<>();
        for (Workload workload : results.workloads()) {
            workloads.add(workload(workload, circumstances, results));
        }
        report.put("workloads", workloads);
        report.put("lineTransferNanos", results.lineTransfers());
        report.put("failures", results.failures());
        return Json.indented(report);
    }

    private static Map<String, Object> workload(Workload workload, Circumstances circumstances, Results results) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("id", workload.id);
        entry.put("program", workload.program);
        entry.put("title", workload.title);
        entry.put("size", results.scale(workload).size());
        entry.put("width", results.scale(workload).width());
        List<Measure> measures = new ArrayList<>(workload.measures);
        measures.add(Measure.CPU);
        for (Measure measure : measures) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("unit", measure.unit());
            for (Peer peer : circumstances.peers()) {
                List<Double> values = results.values(workload, measure, peer.name());
                if (!values.isEmpty()) {
                    figures.put(peer.name(), values);
                }
            }
            entry.put(measure.key(), figures);
        }
        return entry;
    }
}
