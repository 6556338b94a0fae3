package dev.heddle.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SpreadTest {

    private static final double NEVER = Double.POSITIVE_INFINITY;

    @Test
    void medianOfAnOddNumberIsTheOneInTheMiddle() {
        assertThat(Spread.of(List.of(5.0, 1.0, 9.0))).isEqualTo(new Spread(1, 5, 9));
    }

    @Test
    void medianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new Spread(1, 3, 9));
    }

    @Test
    void nothingHasNoMedian() {
        assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(List.of()));
    }

    @Test
    void ratioAboveOneMeansThatTheOtherIsAhead() {
        assertThat(new Spread(5, 6, 7).dividedBy(new Spread(1, 2, 3))).isEqualTo(3);
    }

    @Test
    void aPeerThatNeverEndsIsInfinitelyBehindAndTwoOfThemAreEqual() {
        Spread never = Spread.of(List.of(NEVER, NEVER));
        assertThat(never.dividedBy(new Spread(1, 2, 3))).isEqualTo(NEVER);
        assertThat(never.dividedBy(never)).isEqualTo(1);
    }

    @Test
    void geometricMeanTreatsTwiceAndHalfAlikeAndLeavesOutNever() {
        assertThat(Spread.geometricMean(List.of(2.0, 0.5, NEVER))).isCloseTo(1, within(1e-9));
        assertThat(Spread.geometricMean(List.of())).isNaN();
    }
}
