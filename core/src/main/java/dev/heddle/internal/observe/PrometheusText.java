package dev.heddle.internal.observe;

import dev.heddle.stats.LatencyStats;
import dev.heddle.stats.Metric;
import dev.heddle.stats.SchedulerSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The metrics of all schedulers in Prometheus' text format, version 0.0.4.
final class PrometheusText {

    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /// The bounds of the histogram, as powers of two in nanoseconds: 1 us to 69 s. The same at every scrape,
    /// and each is a bound of the finer buckets behind it, so that nothing is estimated.
    private static final int FIRST_BITS = 10;

    private static final int LAST_BITS = 36;
    private static final int STEP_BITS = 2;

    private PrometheusText() {}

    static String of(List<SchedulerSnapshot> schedulers) {
        StringBuilder text = new StringBuilder(8192);
        List<Metric> metrics = new ArrayList<>(Metric.ALL);
        int processors =
                schedulers.stream().mapToInt(it -> it.processors().size()).max().orElse(0);
        for (int i = 0; i < processors; i++) {
            metrics.add(Metric.queueLength(i));
        }
        String last = "";
        for (Metric metric : metrics) {
            if (!metric.name().equals(last)) {
                last = metric.name();
                head(text, last, metric.help(), metric.kind().name().toLowerCase(Locale.ROOT));
            }
            for (SchedulerSnapshot scheduler : schedulers) {
                text.append(metric.name()).append("{scheduler=\"").append(escaped(scheduler.name()));
                if (!metric.label().isEmpty()) {
                    text.append("\",").append(metric.label()).append("=\"").append(metric.value());
                }
                text.append("\"} ")
                        .append(number(metric.of().applyAsDouble(scheduler)))
                        .append('\n');
            }
        }
        head(text, Metric.LATENCIES, Metric.LATENCIES_HELP, "histogram");
        schedulers.forEach(it -> append(text, it));
        return text.toString();
    }

    private static void head(StringBuilder text, String name, String help, String type) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void append(StringBuilder text, SchedulerSnapshot scheduler) {
        LatencyStats latency = scheduler.latency();
        String label = "{scheduler=\"" + escaped(scheduler.name()) + "\"";
        for (int bits = FIRST_BITS; bits <= LAST_BITS; bits += STEP_BITS) {
            text.append(Metric.LATENCIES)
                    .append("_bucket")
                    .append(label)
                    .append(",le=\"")
                    .append((1L << bits) / 1e9)
                    .append("\"} ")
                    .append(latency.countBelow(1L << bits))
                    .append('\n');
        }
        long count = latency.count();
        text.append(Metric.LATENCIES).append("_bucket").append(label).append(",le=\"+Inf\"} ");
        text.append(count).append('\n');
        text.append(Metric.LATENCIES).append("_sum").append(label).append("} ");
        text.append(latency.sum() / 1e9).append('\n');
        text.append(Metric.LATENCIES).append("_count").append(label).append("} ");
        text.append(count).append('\n');
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
