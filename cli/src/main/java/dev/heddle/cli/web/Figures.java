package dev.heddle.cli.web;

import dev.heddle.client.JvmConnection;
import dev.heddle.internal.observe.JvmFigures;
import dev.heddle.stats.SchedulerSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Samples all schedulers of the observed JVM once a second.
///
/// Single threads, of which the longest runnable one is shown, cost more: they are sampled for the schedulers that a
/// page shows, every two seconds, or so seldom that sampling takes about a hundredth of the time.
final class Figures implements Inquiry.Round {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final long THREADS_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LONGEST_THREADS_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int PAUSE_PER_COST = 100;
    private static final int GOROUTINES = 500;
    private static final int FRAMES = 64;

    private final Viewers viewers;
    private final long beginNanos = System.nanoTime();
    private final Map<String, Series> all = new LinkedHashMap<>(); // guarded by this object's monitor
    private @Nullable JvmConnection asked;
    private long threadsDueNanos;
    private long lastNumber;

    Figures(Viewers viewers) {
        this.viewers = viewers;
    }

    @Override
    public Duration ask(JvmConnection jvm) throws IOException {
        if (asked != jvm) {
            asked = jvm; // a new connection: nothing was sampled since the last one
            series().values().forEach(Series::pause);
            threadsDueNanos = System.nanoTime();
        }
        List<SchedulerSnapshot> snapshots = jvm.snapshots();
        JvmFigures figures = jvm.figures();
        Map<String, Series> present =
                keepOnly(snapshots.stream().map(SchedulerSnapshot::name).toList());
        if (System.nanoTime() - threadsDueNanos >= 0) {
            seeThreads(jvm, present);
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
        lastNumber++;
        for (SchedulerSnapshot snapshot : snapshots) {
            Series series = present.get(snapshot.name());
            if (series != null) {
                series.add(lastNumber, millis, snapshot, figures);
            }
        }
        return PERIOD;
    }

    private void seeThreads(JvmConnection jvm, Map<String, Series> present) throws IOException {
        long begin = System.nanoTime();
        Set<String> shown = viewers.schedulers();
        for (Map.Entry<String, Series> each : present.entrySet()) {
            String name = each.getKey();
            if (shown.contains(name) || (shown.contains("") && name.equals(first(present)))) {
                each.getValue().see(jvm.goroutines(name, GOROUTINES, FRAMES), System.nanoTime());
            }
        }
        long cost = System.nanoTime() - begin;
        threadsDueNanos = begin + Math.clamp(PAUSE_PER_COST * cost, THREADS_PERIOD_NANOS, LONGEST_THREADS_PERIOD_NANOS);
    }

    private static String first(Map<String, Series> present) {
        return present.keySet().stream().findFirst().orElse("");
    }

    private synchronized Map<String, Series> series() {
        return new LinkedHashMap<>(all);
    }

    /// The schedulers that exist, the first one first.
    private synchronized Map<String, Series> keepOnly(List<String> names) {
        Map<String, Series> before = new LinkedHashMap<>(all);
        all.clear();
        names.forEach(it -> all.put(it, before.getOrDefault(it, new Series())));
        return series();
    }

    synchronized List<String> schedulers() {
        return new ArrayList<>(all.keySet());
    }

    /// The scheduler of that name, or the first one; null if there is none any more.
    @Nullable
    synchronized Series of(String name) {
        return all.get(name.isEmpty() ? first(all) : name);
    }

    /// When something happened, on the time axis of the points.
    long millisNow() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
    }
}
