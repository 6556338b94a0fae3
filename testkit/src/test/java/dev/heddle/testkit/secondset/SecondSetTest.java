package dev.heddle.testkit.secondset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.FailureKind;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.Report;
import dev.heddle.testkit.ScheduleFailure;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the default settings find in programs whose author had not read the strategies.
class SecondSetTest {

    private static final int SCALE = Integer.getInteger("heddle.testkit.scale", 1);

    /// Runs the broken form with five seeds, the default one first, and prints a row of the table in docs/testkit.md.
    @ParameterizedTest
    @EnumSource
    void theBugIsFound(Program program) {
        int[] schedules = LongStream.rangeClosed(1, 5)
                .mapToInt(seed -> schedulesUntilFound(program, seed))
                .sorted()
                .toArray();
        System.out.println("| " + program + " | " + program.bug + " | " + program.failure.title() + " | "
                + schedules[schedules.length / 2] + " | " + schedules[schedules.length - 1] + " |");
    }

    private static int schedulesUntilFound(Program program, long seed) {
        Options options = Options.defaults().withSeed(seed);
        ScheduleFailure failure =
                catchThrowableOfType(ScheduleFailure.class, () -> Bubble.check(options, _ -> program.broken.run()));
        assertThat(failure).as("%s with seed %s", program, seed).isNotNull();
        assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(program.failure);
        return failure.schedule();
    }

    /// The pool hangs only if `notify` wakes the checkpoint twice while a borrower has waited longer.
    @Test
    void oneOfThemNeedsANotifyThatDoesNotWakeTheLongestWaiter() {
        ScheduleFailure failure = catchThrowableOfType(
                ScheduleFailure.class, () -> Bubble.check(_ -> Program.CONNECTION_POOL.broken.run()));
        assertThat(failure).hasMessageContaining("has waited longer");
        assertThat(Bubble.check(Options.defaults().withPoints(Options.NONE), _ -> Program.CONNECTION_POOL.broken.run())
                        .schedules())
                .isEqualTo(1000);
    }

    @Test
    void theSameMistakeIsFoundWhereTheOrderOfNotifyDoesNotMatter() {
        assertThatThrownBy(() -> Bubble.check(_ -> ConnectionPool.brokenWithOneConnection()))
                .isInstanceOf(ScheduleFailure.class)
                .hasMessageContaining(FailureKind.DEADLOCK.title());
    }

    @ParameterizedTest
    @EnumSource
    void theCorrectedProgramIsClean(Program program) {
        Options options = Options.defaults().withSchedules(1000 * SCALE);
        Report report = Bubble.check(options, _ -> program.fixed.run());
        assertThat(report.schedules()).isEqualTo(1000 * SCALE);
    }
}
