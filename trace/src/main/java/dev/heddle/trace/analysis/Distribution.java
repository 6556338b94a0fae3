package dev.heddle.trace.analysis;

/// How long something took, many times: count, sum, maximum, and percentiles that are exact to a sixteenth.
public final class Distribution {

    /// Buckets for each power of two.
    private static final int STEPS = 16;

    private static final int STEP_BITS = 4;

    private final long[] buckets = new long[Long.SIZE * STEPS];
    private long count;
    private long sum;
    private long max;

    void add(long nanos) {
        long value = Math.max(0, nanos);
        buckets[bucket(value)]++;
        count++;
        sum += value;
        max = Math.max(max, value);
    }

    private static int bucket(long value) {
        if (value < STEPS) {
            return (int) value;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        return (power - STEP_BITS + 1) * STEPS + (int) (value >>> (power - STEP_BITS)) - STEPS;
    }

    /// The smallest value that falls into the bucket.
    private static long lowest(int bucket) {
        if (bucket < STEPS) {
            return bucket;
        }
        int power = bucket / STEPS + STEP_BITS - 1;
        return (long) (STEPS + bucket % STEPS) << (power - STEP_BITS);
    }

    public long count() {
        return count;
    }

    public long sum() {
        return sum;
    }

    public long max() {
        return max;
    }

    /// The value that this share of all values does not exceed; 0 if there are none.
    ///
    /// @param share between 0 and 1
    public long percentile(double share) {
        long rank = (long) Math.ceil(share * count);
        long seen = 0;
        for (int i = 0; i < buckets.length; i++) {
            seen += buckets[i];
            if (seen >= rank && seen > 0) {
                return Math.min(max, lowest(i + 1) - 1);
            }
        }
        return max;
    }
}
