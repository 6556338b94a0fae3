package dev.heddle.bench.peer;

import java.util.Arrays;

/// Collects durations and reports percentiles of them.
final class Percentiles {

    private long[] nanos = new long[1024];
    private int count;

    void add(long duration) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = duration;
    }

    /// Reports the median and the 99th percentile. Infinite if there is no duration.
    void report(Job job) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        job.figure("p50", count == 0 ? Double.POSITIVE_INFINITY : sorted[count / 2]);
        job.figure("p99", count == 0 ? Double.POSITIVE_INFINITY : sorted[count * 99 / 100]);
    }
}
