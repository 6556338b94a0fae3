package dev.heddle.micrometer;

import dev.heddle.management.Schedulers;
import dev.heddle.stats.Metric;
import dev.heddle.stats.SchedulerSnapshot;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/// Binds the schedulers that are alive to a registry: `new HeddleMetrics().bindTo(registry)`.
///
/// The figures are those of Heddle's own Prometheus endpoint, with `.` for `_` in their names and without the suffixes
/// that a registry adds by itself. Each scheduler is told apart by the tag `scheduler`. The latencies are the quantiles
/// of all samples so far, under `go.sched.latencies` with the tag `quantile`. A scheduler that is made later is bound
/// by another call; one that has ended reads as not a number.
///
/// A JVM that cannot run Heddle, because it was started without the agent line, has nothing to bind. Then, and if there
/// is no scheduler yet, one warning is logged and the program goes on.
public final class HeddleMetrics implements MeterBinder {

    private static final double[] QUANTILES = {0.5, 0.9, 0.99, 1};

    private static final System.Logger LOGGER = System.getLogger(HeddleMetrics.class.getName());

    @Override
    public void bindTo(MeterRegistry registry) {
        Schedulers schedulers;
        try {
            schedulers = new Schedulers();
        } catch (UnsupportedOperationException e) {
            LOGGER.log(Level.WARNING, "no metrics of Heddle are bound: " + e.getMessage());
            return;
        }
        List<SchedulerSnapshot> snapshots = schedulers.getSnapshots();
        if (snapshots.isEmpty()) {
            LOGGER.log(
                    Level.WARNING,
                    "no metrics of Heddle are bound: there is no scheduler yet; start the JVM with"
                            + " -javaagent:heddle.jar, or bind after the first scheduler was made.");
        }
        for (SchedulerSnapshot scheduler : snapshots) {
            Look look = new Look(schedulers, scheduler.name());
            Tags tags = Tags.of("scheduler", scheduler.name());
            Metric.ALL.forEach(it -> bind(registry, it, look, tags));
            scheduler.processors().forEach(it -> bind(registry, Metric.queueLength(it.id()), look, tags));
            for (double quantile : QUANTILES) {
                TimeGauge.builder(
                                "go.sched.latencies",
                                look,
                                TimeUnit.NANOSECONDS,
                                it -> it.figure(snapshot -> snapshot.latency().quantile(quantile)))
                        .description(Metric.LATENCIES_HELP)
                        .tags(tags.and("quantile", Double.toString(quantile)))
                        .strongReference(true)
                        .register(registry);
            }
        }
    }

    private static void bind(MeterRegistry registry, Metric metric, Look look, Tags schedulerTags) {
        Tags tags =
                metric.label().isEmpty() ? schedulerTags : schedulerTags.and(Tag.of(metric.label(), metric.value()));
        switch (metric.kind()) {
            case GAUGE ->
                Gauge.builder(name(metric), look, it -> it.figure(metric.of()))
                        .description(metric.help())
                        .tags(tags)
                        .strongReference(true)
                        .register(registry);
            case COUNTER ->
                FunctionCounter.builder(name(metric), look, it -> it.figure(metric.of()))
                        .description(metric.help())
                        .tags(tags)
                        .register(registry);
        }
    }

    private static String name(Metric metric) {
        return metric.name().replaceFirst("_total$", "").replace('_', '.');
    }

    /// The latest snapshot of a scheduler, taken anew at most once a second: a registry asks for one figure after
    /// the other.
    private static final class Look {
        private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

        private final Schedulers schedulers;
        private final String name;
        private SchedulerSnapshot latest;

        Look(Schedulers schedulers, String name) {
            this.schedulers = schedulers;
            this.name = name;
            this.latest = schedulers.snapshot(name);
        }

        synchronized double figure(ToDoubleFunction<SchedulerSnapshot> of) {
            if (System.nanoTime() - latest.nanoTime() > FRESH_NANOS) {
                try {
                    latest = schedulers.snapshot(name);
                } catch (IllegalArgumentException _) {
                    return Double.NaN; // it has ended
                }
            }
            return of.applyAsDouble(latest);
        }
    }
}
