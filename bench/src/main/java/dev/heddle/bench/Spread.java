package dev.heddle.bench;

import java.util.Arrays;
import java.util.Collection;

/// The median of several runs, and their range.
///
/// @param least the smallest value
/// @param median the median; for an even number of runs, the mean of the two in the middle
/// @param most the largest value; infinite if a run never finished
record Spread(double least, double median, double most) {

    static Spread of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("there is no median of nothing");
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(sorted[0], median, sorted[sorted.length - 1]);
    }

    /// The ratio of the medians: 2 means twice as much as `other`. Two infinite medians are equal.
    double dividedBy(Spread other) {
        if (Double.isInfinite(median) && Double.isInfinite(other.median)) {
            return 1;
        }
        return median / other.median;
    }

    /// The geometric mean, in which 2 and 0.5 cancel out. Infinite and zero ratios are left out; NaN if none is
    /// left.
    static double geometricMean(Collection<Double> ratios) {
        return Math.exp(Arrays.stream(ratios.stream()
                        .mapToDouble(Double::doubleValue)
                        .filter(it -> it > 0 && Double.isFinite(it))
                        .map(Math::log)
                        .toArray())
                .average()
                .orElse(Double.NaN));
    }
}
