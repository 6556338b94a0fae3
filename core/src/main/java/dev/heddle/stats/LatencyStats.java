package dev.heddle.stats;

import java.util.Arrays;

/// A histogram of scheduling latencies since the scheduler was created, from a sample of all goroutines.
/// Go: `/sched/latencies:seconds`.
///
/// @param bounds the upper bounds of the buckets that are not empty, in nanoseconds, ascending and exclusive
/// @param counts the number of samples in each of these buckets
/// @param sum    the sum of all samples, in nanoseconds
@SuppressWarnings("ArrayRecordComponent") // MXBeans carry arrays
public record LatencyStats(long[] bounds, long[] counts, long sum) {

    public long count() {
        return Arrays.stream(counts).sum();
    }

    /// The upper bound of the bucket in which the quantile `share`, 0 to 1, lies; 0 if there is no sample.
    public long quantile(double share) {
        long all = count();
        long left = (long) Math.ceil(share * all);
        for (int i = 0; i < bounds.length && all > 0; i++) {
            left -= counts[i];
            if (left <= 0) {
                return bounds[i];
            }
        }
        return 0;
    }

    /// The number of samples below `nanos`. The result is exact if `nanos` is a power of two.
    public long countBelow(long nanos) {
        long below = 0;
        for (int i = 0; i < bounds.length && bounds[i] <= nanos; i++) {
            below += counts[i];
        }
        return below;
    }

    /// The samples added since `earlier`, a snapshot of the same scheduler.
    public LatencyStats since(LatencyStats earlier) {
        long[] left = counts.clone();
        for (int i = 0; i < left.length; i++) {
            int before = Arrays.binarySearch(earlier.bounds, bounds[i]);
            left[i] -= before < 0 ? 0 : earlier.counts[before];
        }
        return new LatencyStats(bounds, left, sum - earlier.sum);
    }

    @Override
    public String toString() {
        return "LatencyStats[count=" + count() + ", p50=" + quantile(0.5) + ", p99=" + quantile(0.99) + ", sum=" + sum
                + "]";
    }
}
