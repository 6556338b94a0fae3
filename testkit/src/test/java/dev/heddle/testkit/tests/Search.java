package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.FailureKind;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.Report;
import dev.heddle.testkit.ScheduleFailure;
import dev.heddle.testkit.bugs.Bug;
import dev.heddle.testkit.internal.Checker;
import java.util.Arrays;
import java.util.OptionalInt;

/// The search for the bugs of [Bug]'s package, whose programs have points: how many schedules it needs, and that it
/// does not accuse a correct program. `-Dheddle.testkit.scale=20` is the long form.
final class Search {

    static final int SCALE = Integer.getInteger("heddle.testkit.scale", 1);

    private Search() {}

    static Report check(Options options, Bubble.Body body) {
        return Checker.check(options, Bug.class.getPackageName(), body);
    }

    /// What a series of searches needs.
    ///
    /// @param schedules  the schedule in which the bug was found, the median; empty if most did not find it
    /// @param isComplete whether one that did not find it tried all schedules of its strategy
    record Needed(OptionalInt schedules, boolean isComplete) {
        String or(String never, String notInAll) {
            return schedules.isPresent() ? Integer.toString(schedules.getAsInt()) : isComplete ? notInAll : never;
        }
    }

    /// One search for each seed from `firstSeed` on.
    static Needed schedulesNeeded(Options options, long firstSeed, int seeds, Bubble.Body broken) {
        int[] found = new int[seeds];
        boolean isComplete = false;
        for (int i = 0; i < seeds; i++) {
            found[i] = Integer.MAX_VALUE;
            try {
                isComplete |= check(options.withSeed(firstSeed + i), broken).complete();
            } catch (ScheduleFailure failure) {
                assertThat(failure.kind()).as(failure.getMessage()).isNotEqualTo(FailureKind.NOT_REPRODUCIBLE);
                found[i] = failure.schedule();
            }
        }
        Arrays.sort(found);
        int median = found[seeds / 2];
        return new Needed(median == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(median), isComplete);
    }

    /// The twin runs all of its schedules: 500, or as many times more as `SCALE` says.
    static void requireNeverAccused(Options options, Bug bug) {
        int schedules = 500 * SCALE;
        assertThat(check(options.withSchedules(schedules), bug.fixed()).schedules())
                .isEqualTo(schedules);
    }
}
