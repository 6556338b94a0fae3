package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.testkit.Options;
import dev.heddle.testkit.ScheduleFailure;
import dev.heddle.testkit.Strategy;
import dev.heddle.testkit.bugs.Bug;
import dev.heddle.testkit.bugs.MoreBugs;
import dev.heddle.testkit.bugs.PublishedBugs;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The eighteen bugs of the first set are found with default settings, and their corrected twins are not accused.
/// `-Dheddle.testkit.scale=20` is the long form: the twins for 10,000 schedules, and each strategy.
class PublishedBugsTest {

    private static final boolean IS_LONG = Search.SCALE > 1;
    private static final Options OPTIONS = Options.defaults();

    /// For the table, which finds each bug many times: the one livelock would take most of the time otherwise. The
    /// limit changes no number of the table, because it ends only schedules that never end.
    private static final Options SHORT = OPTIONS.withMaxSteps(5000);

    static List<Bug> bugs() {
        return Stream.concat(PublishedBugs.all().stream(), MoreBugs.all().stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void theBugIsFoundWithinAThousandSchedules(Bug bug) {
        ScheduleFailure failure =
                catchThrowableOfType(ScheduleFailure.class, () -> Search.check(OPTIONS, bug.broken()));
        assertThat(failure).as(bug.name()).isNotNull();
        ScheduleFailure again = catchThrowableOfType(
                ScheduleFailure.class, () -> Search.check(OPTIONS.withReplay(failure.replayCode()), bug.broken()));
        assertThat(again).as("the replay of " + failure.getMessage()).isNotNull();
        assertThat(again.kind()).isEqualTo(failure.kind());
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void theCorrectedTwinIsNeverAccused(Bug bug) {
        Search.requireNeverAccused(OPTIONS, bug);
    }

    /// Prints the table of the manual: the schedules that each strategy needs, the median of 51 seeds.
    @Test
    void aTableOfSchedulesPerStrategy() {
        Map<String, Map<Strategy, String>> table = new TreeMap<>();
        List<Strategy> strategies = IS_LONG ? List.of(Strategy.values()) : List.of(Strategy.MIXED);
        for (Bug bug : bugs()) {
            for (Strategy strategy : strategies) {
                String needed = Search.schedulesNeeded(
                                SHORT.withStrategy(strategy), 1000, IS_LONG ? 51 : 9, bug.broken())
                        .or("none", "none, complete");
                table.computeIfAbsent(bug.name(), _ -> new TreeMap<>()).put(strategy, needed);
            }
        }
        table.forEach((bug, row) -> System.out.println("| " + bug + " | " + row));
        assertThat(table.values())
                .allSatisfy(row -> assertThat(row.get(Strategy.MIXED)).isNotEqualTo("none"));
    }
}
