package dev.heddle.cli.web;

import dev.heddle.client.ThreadTime;
import dev.heddle.client.ThreadTimes;
import dev.heddle.client.TopRates;
import dev.heddle.client.TopSample;
import dev.heddle.internal.observe.JvmFigures;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.LatencyStats;
import dev.heddle.stats.ProcessorStats;
import dev.heddle.stats.SchedulerSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What one scheduler did in the last minutes. Thread-safe: one thread adds, others read.
final class Series {

    /// 15 minutes, at one point a second.
    private static final int POINTS = 900;

    /// Percentiles are those of the last ten points, because one second of a quiet program has too few samples.
    private static final int RECENT = 10;

    private final Deque<Point> points = new ArrayDeque<>();
    private final Deque<TopSample> recent = new ArrayDeque<>();
    private final ThreadTimes times = new ThreadTimes();
    private List<ThreadTime> threads = List.of();

    /// What was seen of single threads, which is sampled less often than the rest.
    synchronized void see(List<GoroutineStats> goroutines, long nanoTime) {
        threads = times.next(goroutines, nanoTime);
    }

    /// @param number larger than those of all points before, of other schedulers as well
    synchronized void add(long number, long millis, SchedulerSnapshot scheduler, JvmFigures jvm) {
        TopSample now = new TopSample(scheduler, jvm, threads);
        if (!recent.isEmpty()) {
            LatencyStats latency =
                    scheduler.latency().since(recent.getFirst().scheduler().latency());
            points.add(Point.of(number, millis, recent.getLast(), now, latency));
            if (points.size() > POINTS) {
                points.removeFirst();
            }
        }
        recent.add(now);
        if (recent.size() > RECENT) {
            recent.removeFirst();
        }
    }

    /// Forgets the last sample: a rate across a pause would be a mean of unknown meaning.
    synchronized void pause() {
        recent.clear();
        threads = List.of();
    }

    /// The points after that number, and the state of each processor.
    synchronized Map<String, Object> document(long after) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("points", points.stream().filter(it -> it.number() > after).toList());
        if (recent.size() > 1) {
            TopSample now = recent.getLast();
            document.put("upMillis", now.scheduler().stats().millis());
            document.put("jvmWide", now.scheduler().jvmWide());
            document.put("limits", now.scheduler().limits().explanation());
            document.put("platformThreads", now.jvm().threads());
            document.put("processors", processors(now));
            now.longestRunnable().ifPresent(it -> document.put("longest", it));
        }
        return document;
    }

    private List<Map<String, Object>> processors(TopSample now) {
        List<TopSample> samples = List.copyOf(recent);
        TopRates rates = new TopRates(samples.get(samples.size() - 2), now);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (ProcessorStats processor : now.scheduler().processors()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("id", processor.id());
            row.put("status", processor.status());
            row.put("machine", processor.machine());
            row.put("queue", processor.runQueue());
            row.put("runNext", processor.runNext());
            row.put("timers", processor.timers());
            row.put("switches", rates.of(processor, ProcessorStats::switches));
            row.put("steals", rates.of(processor, ProcessorStats::steals));
            row.put("handOffs", rates.of(processor, ProcessorStats::handOffs));
            row.put("preemptions", rates.of(processor, ProcessorStats::preemptions));
            rows.add(row);
        }
        return rows;
    }
}
