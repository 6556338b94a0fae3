package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.testkit.Options;
import dev.heddle.testkit.Report;
import dev.heddle.testkit.ScheduleFailure;
import dev.heddle.testkit.Strategy;
import dev.heddle.testkit.bugs.Bug;
import dev.heddle.testkit.bugs.MoreBugs;
import dev.heddle.testkit.bugs.PublishedBugs;
import dev.heddle.testkit.internal.Checker;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The eighteen bugs of the first set are found, and their corrected twins are not accused. `-Dheddle.testkit.scale=20`
/// is the long form: the twins for 10,000 schedules, and each strategy.
class PublishedBugsTest {

    private static final int SCALE = Integer.getInteger("heddle.testkit.scale", 1);
    private static final Options OPTIONS =
            Options.defaults().withSchedules(1000).withMaxSteps(5000);

    static List<Bug> bugs() {
        return Stream.concat(PublishedBugs.all().stream(), MoreBugs.all().stream())
                .toList();
    }

    private static Report check(Options options, dev.heddle.testkit.Bubble.Body body) {
        return Checker.check(options, Bug.class.getPackageName(), body);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void theBugIsFoundWithinAThousandSchedules(Bug bug) {
        ScheduleFailure failure = catchThrowableOfType(ScheduleFailure.class, () -> check(OPTIONS, bug.broken()));
        assertThat(failure).as(bug.name()).isNotNull();
        ScheduleFailure again = catchThrowableOfType(
                ScheduleFailure.class, () -> check(OPTIONS.withReplay(failure.replayCode()), bug.broken()));
        assertThat(again).as("the replay of " + failure.getMessage()).isNotNull();
        assertThat(again.kind()).isEqualTo(failure.kind());
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void theCorrectedTwinIsNeverAccused(Bug bug) {
        Report report = check(OPTIONS.withSchedules(500 * SCALE), bug.fixed());
        assertThat(report.schedules()).isEqualTo(500 * SCALE);
    }

    /// Prints the table of the manual: the schedules that each strategy needs, the median of 51 seeds.
    @Test
    void aTableOfSchedulesPerStrategy() {
        Map<String, Map<Strategy, String>> table = new TreeMap<>();
        List<Strategy> strategies = SCALE == 1
                ? List.of(Strategy.MIXED)
                : List.of(
                        Strategy.MIXED,
                        Strategy.RANDOM,
                        Strategy.POS,
                        Strategy.PCT,
                        Strategy.DELAYS,
                        Strategy.GO,
                        Strategy.ROUND_ROBIN,
                        Strategy.EXHAUSTIVE);
        for (Bug bug : bugs()) {
            for (Strategy strategy : strategies) {
                table.computeIfAbsent(bug.name(), _ -> new TreeMap<>()).put(strategy, median(bug, strategy));
            }
        }
        table.forEach((bug, row) -> System.out.println("| " + bug + " | " + row));
        assertThat(table.values())
                .allSatisfy(row -> assertThat(row.get(Strategy.MIXED)).isNotEqualTo("none"));
    }

    private static String median(Bug bug, Strategy strategy) {
        int[] found = new int[SCALE == 1 ? 9 : 51];
        boolean isComplete = false;
        for (int i = 0; i < found.length; i++) {
            found[i] = Integer.MAX_VALUE;
            try {
                isComplete |= check(OPTIONS.withSeed(1000 + i).withStrategy(strategy), bug.broken())
                        .complete();
            } catch (ScheduleFailure failure) {
                found[i] = failure.schedule();
            }
        }
        java.util.Arrays.sort(found);
        int median = found[found.length / 2];
        return median == Integer.MAX_VALUE ? (isComplete ? "none, complete" : "none") : Integer.toString(median);
    }
}
