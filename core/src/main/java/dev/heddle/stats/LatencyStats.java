package dev.heddle.stats;

import java.io.Serializable;
import java.util.Arrays;

/// Scheduling latencies of a scheduler since it was made, of a sample of all goroutines. Go:
/// `/sched/latencies:seconds`.
///
/// @param bounds the upper bounds of the buckets that are not empty, in nanoseconds, ascending and exclusive
/// @param counts how many samples are in each
/// @param sum    of all samples, in nanoseconds
@SuppressWarnings("ArrayRecordComponent") // as MXBeans carry them
public record LatencyStats(long[] bounds, long[] counts, long sum) implements Serializable {

    public long count() {
        return Arrays.stream(counts).sum();
    }

    /// The bound that the given share of the samples, 0 to 1, stays below; 0 if there is no sample.
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

    /// How many samples are below `nanos`, which must be a power of two for the answer to be exact.
    public long countBelow(long nanos) {
        long below = 0;
        for (int i = 0; i < bounds.length && bounds[i] <= nanos; i++) {
            below += counts[i];
        }
        return below;
    }

    /// What was added since `earlier`.
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
