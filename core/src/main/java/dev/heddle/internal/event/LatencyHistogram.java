package dev.heddle.internal.event;

import dev.heddle.stats.LatencyStats;

/// How long goroutines waited between becoming runnable and running: counts in buckets whose width grows with the
/// value.
///
/// The layout is HdrHistogram's: eight buckets of equal width for each power of two. Values from nanoseconds to
/// minutes are thus known with a relative error of at most one eighth. One writer at a time; reads are racy.
public final class LatencyHistogram {

    private static final int SUB_BITS = 3;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;

    /// 2^40 ns: 18 minutes. Longer times are counted in the last bucket.
    private static final int MAX_BITS = 40;

    private static final int BUCKETS = (MAX_BITS - SUB_BITS + 1) * SUB_BUCKETS;

    private final long[] counts = new long[BUCKETS];
    private long sum;

    /// One writer at a time. Allocates nothing.
    public void record(long nanos) {
        long value = Math.max(0, nanos);
        counts[bucketOf(value)]++;
        sum += value;
    }

    static int bucketOf(long value) {
        if (value < SUB_BUCKETS) {
            return (int) value;
        }
        int shift = 63 - Long.numberOfLeadingZeros(value) - SUB_BITS;
        int bucket = (shift << SUB_BITS) + (int) (value >>> shift);
        return Math.min(bucket, BUCKETS - 1);
    }

    /// The smallest value above the bucket: an exclusive upper bound.
    static long upperBound(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return bucket + 1L;
        }
        int shift = (bucket >>> SUB_BITS) - 1;
        return (long) ((bucket & (SUB_BUCKETS - 1)) + SUB_BUCKETS + 1) << shift;
    }

    /// The buckets that are not empty.
    public LatencyStats stats() {
        int used = 0;
        for (long count : counts) {
            used += count == 0 ? 0 : 1;
        }
        long[] bounds = new long[used];
        long[] found = new long[used];
        int next = 0;
        for (int bucket = 0; bucket < BUCKETS && next < used; bucket++) { // a bucket may have been filled meanwhile
            if (counts[bucket] != 0) {
                bounds[next] = upperBound(bucket);
                found[next++] = counts[bucket];
            }
        }
        return new LatencyStats(bounds, found, sum);
    }
}
