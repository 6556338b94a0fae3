package dev.heddle.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.stats.LatencyStats;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 7, 8, 9, 15, 16, 17, 1000, 1_000_000, 123_456_789_012L, (1L << 40) - 1})
    void aValueIsKnownToAnEighth(long value) {
        int bucket = LatencyHistogram.bucketOf(value);

        assertThat(value).isLessThan(LatencyHistogram.upperBound(bucket));
        assertThat(bucket == 0 ? 0 : LatencyHistogram.upperBound(bucket - 1)).isLessThanOrEqualTo(value);
        assertThat(LatencyHistogram.upperBound(bucket)).isLessThanOrEqualTo(Math.max(value + 1, value + value / 8 + 1));
    }

    @Test
    void whatIsTooLongGoesIntoTheLastBucketAndWhatIsNegativeIntoTheFirst() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(Long.MAX_VALUE);
        histogram.record(-5);

        assertThat(histogram.stats().counts()).containsExactly(1, 1);
        assertThat(histogram.stats().bounds()).containsExactly(1, 1L << 40);
    }

    @Test
    void quantilesAreThoseOfTheValuesThemselves() {
        LatencyHistogram histogram = new LatencyHistogram();
        SplittableRandom random = new SplittableRandom(20261116);
        long[] values = random.longs(10_000, 0, 50_000_000).toArray();
        Arrays.stream(values).forEach(histogram::record);
        Arrays.sort(values);

        LatencyStats stats = histogram.stats();
        assertThat(stats.count()).isEqualTo(10_000);
        assertThat(stats.sum()).isEqualTo(Arrays.stream(values).sum());
        for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 1}) {
            long exact = values[(int) Math.ceil(share * values.length) - 1];
            assertThat(stats.quantile(share)).isBetween(exact, exact + exact / 8 + 1);
        }
    }

    @Test
    void theDifferenceOfTwoPicturesIsWhatCameBetween() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(100);
        LatencyStats before = histogram.stats();
        histogram.record(5000);

        assertThat(histogram.stats().since(before).count()).isEqualTo(1);
        assertThat(histogram.stats().since(before).sum()).isEqualTo(5000);
        assertThat(histogram.stats().since(before).quantile(0.5)).isBetween(5000L, 5700L);
        assertThat(before.since(before).quantile(0.5)).isZero();
    }
}
