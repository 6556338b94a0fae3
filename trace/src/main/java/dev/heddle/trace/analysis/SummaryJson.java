package dev.heddle.trace.analysis;

import dev.heddle.internal.wire.Json;
import dev.heddle.trace.Recording;
import dev.heddle.trace.RunCounts;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// A summary as JSON. Times are nanoseconds.
public final class SummaryJson {

    private SummaryJson() {}

    public static String of(Summary summary) {
        Recording recording = summary.recording();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("header", recording.header());
        document.put("from", recording.from());
        document.put("to", recording.to());
        document.put("events", summary.events());
        document.put("dropped", recording.dropped());
        document.put("notes", recording.notes());
        document.put("remarks", recording.remarks());
        document.put("pauses", times(summary.pauses()));
        document.put("throttled", summary.throttled());
        RunCounts counts = summary.counts();
        if (counts != null) {
            document.put("runs", runs(counts));
        }
        document.put(
                "schedulers",
                summary.schedulers().stream().map(SummaryJson::scheduler).toList());
        document.put("longestWaits", summary.longestWaits());
        return Json.indented(document);
    }

    private static Map<String, Object> runs(RunCounts counts) {
        Map<String, Object> runs = new LinkedHashMap<>();
        runs.put("starts", counts.starts());
        runs.put("parks", counts.parks());
        runs.put("yields", counts.yields());
        runs.put("ends", counts.ends());
        runs.put("voids", counts.voids());
        runs.put("cutAtStart", counts.cutAtStart());
        runs.put("cutAtEnd", counts.cutAtEnd());
        return runs;
    }

    private static Map<String, Object> times(Distribution times) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("count", times.count());
        map.put("total", times.sum());
        map.put("p50", times.percentile(0.5));
        map.put("p90", times.percentile(0.9));
        map.put("p99", times.percentile(0.99));
        map.put("max", times.max());
        return map;
    }

    private static Map<String, Object> scheduler(SchedulerSummary scheduler) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", scheduler.name());
        map.put("procs", scheduler.procs());
        map.put("machines", scheduler.machines());
        map.put("goroutines", scheduler.goroutines());
        map.put("mostRunnable", scheduler.mostRunnable());
        map.put("states", named(scheduler.times()));
        Map<String, Object> waits = new LinkedHashMap<>();
        scheduler.waits().forEach((reason, times) -> waits.put(reason, times(times)));
        map.put("waits", waits);
        map.put("places", scheduler.places().stream().map(SummaryJson::place).toList());
        map.put("latency", times(scheduler.latency()));
        Map<String, Object> latencies = new LinkedHashMap<>();
        scheduler
                .latencies()
                .forEach((cause, times) -> latencies.put(cause.name().toLowerCase(Locale.ROOT), times(times)));
        map.put("latencies", latencies);
        map.put("runLength", times(scheduler.runs()));
        map.put("steals", scheduler.steals());
        map.put("spills", scheduler.spills());
        map.put("sliceEnds", scheduler.preemptions());
        Map<String, Object> handOffs = new LinkedHashMap<>();
        scheduler.handOffs().forEach((why, count) -> handOffs.put(why.name().toLowerCase(Locale.ROOT), count));
        map.put("handOffs", handOffs);
        map.put("stops", times(scheduler.stops()));
        map.put(
                "processors",
                scheduler.processors().stream()
                        .filter(it -> it.id() >= 0)
                        .map(SummaryJson::processor)
                        .toList());
        map.put("kinds", scheduler.kinds().stream().map(SummaryJson::kind).toList());
        return map;
    }

    private static Map<String, Object> place(ParkPlace place) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("frame", place.frame());
        map.put("waits", times(place.waits()));
        return map;
    }

    private static Map<String, Object> named(Map<?, Long> times) {
        Map<String, Object> map = new LinkedHashMap<>();
        times.forEach((state, time) -> map.put(state.toString(), time));
        return map;
    }

    private static Map<String, Object> processor(ProcessorTotals processor) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", processor.id());
        map.put("running", processor.running());
        map.put("owned", processor.owned());
        map.put("runs", processor.runs());
        Map<String, Object> stolen = new LinkedHashMap<>();
        processor.stolen().forEach((victim, count) -> stolen.put("P" + victim, count));
        map.put("stolen", stolen);
        return map;
    }

    private static Map<String, Object> kind(KindTotals kind) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("kind", kind.kind());
        map.put("goroutines", kind.goroutines());
        map.put("runs", kind.runs());
        map.put("running", kind.running());
        map.put("withoutProcessor", kind.withoutProcessor());
        map.put("runnable", kind.runnable());
        map.put("longestRunnable", kind.longestRunnable());
        map.put("waiting", kind.waiting());
        return map;
    }
}
