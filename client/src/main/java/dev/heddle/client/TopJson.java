package dev.heddle.client;

import dev.heddle.internal.wire.Json;
import dev.heddle.stats.LatencyStats;
import dev.heddle.stats.SchedulerStats;
import java.util.LinkedHashMap;
import java.util.Map;

/// A picture of `heddle top` as one JSON object on one line, for scripts: the figures of [TopView], without cut texts.
public final class TopJson {

    private final TopSample now;
    private final TopRates rates;

    /// @param before an earlier sample of the same scheduler
    /// @param now    the sample to show
    public TopJson(TopSample before, TopSample now) {
        this.now = now;
        this.rates = new TopRates(before, now);
    }

    /// @param order the order of the threads
    public String line(long pid, ThreadOrder order) {
        Map<String, Object> picture = new LinkedHashMap<>();
        picture.put("pid", pid);
        picture.put("cpus", rounded(rates.cpus()));
        picture.put("pauses", rounded(rates.pauses()));
        picture.put("jvm", now.jvm());
        picture.put("perSecond", perSecond());
        picture.put("latencyNanos", latency(rates.latency()));
        now.longestRunnable().ifPresent(it -> picture.put("longestRunnable", document(it)));
        picture.put("scheduler", now.scheduler());
        picture.put("blockedThreads", now.scheduler().blockedMachines());
        picture.put("pinnedThreads", now.scheduler().pinnedMachines());
        picture.put(
                "threads",
                order.sorted(now.threads()).stream().map(TopJson::document).toList());
        return Json.of(picture);
    }

    private Map<String, Object> perSecond() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("started", rounded(rates.started()));
        figures.put("switches", rounded(rates.of(SchedulerStats::switches)));
        figures.put("steals", rounded(rates.of(SchedulerStats::steals)));
        figures.put("wakes", rounded(rates.of(SchedulerStats::wakes)));
        figures.put("handOffs", rounded(rates.handOffs()));
        figures.put("preemptions", rounded(rates.of(SchedulerStats::preemptions)));
        figures.put("timers", rounded(rates.of(SchedulerStats::timersFired)));
        return figures;
    }

    /// Since the last picture. The number of samples is there, too: a program must decide how many suffice.
    private static Map<String, Object> latency(LatencyStats latency) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("samples", latency.count());
        figures.put("p50", latency.quantile(0.5));
        figures.put("p99", latency.quantile(0.99));
        figures.put("max", latency.quantile(1));
        return figures;
    }

    private static Map<String, Object> document(ThreadTime thread) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", thread.id());
        document.put("name", thread.name());
        document.put("state", thread.state().toString());
        document.put("reason", thread.reason());
        if (thread.nanos() >= 0) {
            document.put("nanos", thread.nanos());
            document.put("exact", thread.exact());
        }
        document.put("place", thread.place());
        return document;
    }

    private static double rounded(double figure) {
        return Math.round(figure * 1000) / 1000.0;
    }
}
