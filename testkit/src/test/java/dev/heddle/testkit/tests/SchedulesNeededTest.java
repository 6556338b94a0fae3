package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.ScheduleFailure;
import dev.heddle.testkit.Strategy;
import dev.heddle.testkit.bugs.Bug;
import dev.heddle.testkit.bugs.TableBugs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What points and strategies are good for. The seeds are fixed, so the table of the manual is the same in every run: a
/// difference means that schedules have changed, and that the replay codes of users have become invalid.
class SchedulesNeededTest {

    private static final Path MANUAL = Path.of("..", "docs", "testkit.md");
    private static final Options OPTIONS = Options.defaults();
    private static final Options EXHAUSTIVE = OPTIONS.withStrategy(Strategy.EXHAUSTIVE);

    /// A column of the table. Its cells are medians of as many series as there are seeds.
    private record Column(String title, Options options, int seeds) {}

    private static final List<Column> COLUMNS = List.of(
            new Column(
                    "`RANDOM`, no points", OPTIONS.withStrategy(Strategy.RANDOM).withPoints(Options.NONE), 3),
            new Column("`MIXED`", OPTIONS, 9),
            new Column("`RANDOM`", OPTIONS.withStrategy(Strategy.RANDOM), 9),
            new Column("`POS`", OPTIONS.withStrategy(Strategy.POS), 9),
            new Column("`PCT`", OPTIONS.withStrategy(Strategy.PCT), 9),
            new Column("`DELAYS`", OPTIONS.withStrategy(Strategy.DELAYS), 9),
            new Column("`EXHAUSTIVE`", EXHAUSTIVE, 1));

    private static final String HEAD =
            COLUMNS.stream().map(Column::title).collect(Collectors.joining(" | ", "| bug | ", " |"));

    static List<Bug> bugs() {
        return TableBugs.all();
    }

    @Test
    void theTableOfTheManualIsTrue() throws IOException {
        List<String> table = new ArrayList<>();
        table.add(HEAD);
        table.add("| ---" + " | ---".repeat(COLUMNS.size()) + " |");
        bugs().forEach(bug -> table.add(row(bug.name(), bug.broken())));
        table.add(row("none: a correct program", bugs().getFirst().fixed()));
        assertThat(tableOfTheManual()).isEqualTo(table);
    }

    private static List<String> tableOfTheManual() throws IOException {
        try (var lines = Files.lines(MANUAL)) {
            return lines.dropWhile(line -> !line.equals(HEAD))
                    .takeWhile(line -> line.startsWith("|"))
                    .toList();
        }
    }

    private static String row(String name, Bubble.Body body) {
        return COLUMNS.stream()
                .map(column -> Search.schedulesNeeded(column.options(), 0, column.seeds(), body)
                        .or("never", "not in all"))
                .collect(Collectors.joining(" | ", "| " + name + " | ", " |"));
    }

    @Test
    void threePreemptionsAreNeededWhereTheTableSaysSo() {
        Bubble.Body body = TableBugs.threePreemptions().broken();
        assertThat(Search.check(EXHAUSTIVE.withDepth(2), body).complete()).isTrue();
        assertThatThrownBy(() -> Search.check(EXHAUSTIVE.withDepth(3), body)).isInstanceOf(ScheduleFailure.class);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void theCorrectedTwinIsNeverAccused(Bug bug) {
        Search.requireNeverAccused(OPTIONS, bug);
        Search.check(EXHAUSTIVE.withSchedules(500 * Search.SCALE), bug.fixed());
    }
}
