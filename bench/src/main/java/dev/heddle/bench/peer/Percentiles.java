package dev.heddle.bench.peer;

import java.util.Arrays;

/// Durations, and what most of them were below.
final class Percentiles {

    private long[] nanos = new long[1024];
    private int count;

    void add(long duration) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = duration;
    }

    /// Reports the median and the 99th of a hundred. Infinite: there was none.
    void report(Job job) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        job.figure("p50", count == 0 ? Double.POSITIVE_INFINITY : sorted[count / 2]);
        job.figure("p99", count == 0 ? Double.POSITIVE_INFINITY : sorted[count * 99 / 100]);
    }
}
