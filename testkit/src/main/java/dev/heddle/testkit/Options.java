package dev.heddle.testkit;

import java.util.List;
import java.util.Objects;

/// How [Bubble#check] runs a test. The defaults are those of [HeddleTest].
///
/// @param schedules how many schedules to run
/// @param seed      from which the schedules and all random numbers of the test follow
/// @param strategy  how threads are scheduled
/// @param depth     see [Strategy]; 0 means the strategy's default
/// @param points    classes that get points, beside those of the test's own package: `com.acme..` is a package with all
///     below it, `com.acme.*` a package, `com.acme.Cache` a class. The one word `none` means no points at all.
/// @param time      when the clock may move
/// @param escapes   what happens when the test leaves its bubble
/// @param maxSteps  after how many steps a schedule is taken for a livelock
/// @param leaks     whether a thread that outlives the test fails it
/// @param replay    the code of one schedule, which then runs instead of all; or the empty string
public record Options(
        int schedules,
        long seed,
        Strategy strategy,
        int depth,
        List<String> points,
        Time time,
        Escapes escapes,
        int maxSteps,
        boolean leaks,
        String replay) {

    /// The word for no points.
    public static final String NONE = "none";

    public Options {
        Objects.requireNonNull(strategy);
        Objects.requireNonNull(time);
        Objects.requireNonNull(escapes);
        Objects.requireNonNull(replay);
        points = List.copyOf(points);
        requirePositive("schedules", schedules);
        requirePositive("maxSteps", maxSteps);
        if (depth < 0) {
            throw new IllegalArgumentException("depth=" + depth + " is refused: it must not be negative.");
        }
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + "=" + value + " is refused: it must be at least 1.");
        }
    }

    public static Options defaults() {
        return new Options(1000, 1, Strategy.MIXED, 0, List.of(), Time.IDLE, Escapes.FAIL, 100_000, true, "");
    }

    /// The depth that is used: the strategy's default if none is given.
    public int effectiveDepth() {
        return depth == 0 ? strategy.defaultDepth() : depth;
    }

    public Options withSchedules(int count) {
        return new Options(count, seed, strategy, depth, points, time, escapes, maxSteps, leaks, replay);
    }

    public Options withSeed(long value) {
        return new Options(schedules, value, strategy, depth, points, time, escapes, maxSteps, leaks, replay);
    }

    public Options withStrategy(Strategy value) {
        return new Options(schedules, seed, value, depth, points, time, escapes, maxSteps, leaks, replay);
    }

    public Options withDepth(int value) {
        return new Options(schedules, seed, strategy, value, points, time, escapes, maxSteps, leaks, replay);
    }

    public Options withPoints(String... classes) {
        return new Options(schedules, seed, strategy, depth, List.of(classes), time, escapes, maxSteps, leaks, replay);
    }

    public Options withTime(Time value) {
        return new Options(schedules, seed, strategy, depth, points, value, escapes, maxSteps, leaks, replay);
    }

    public Options withEscapes(Escapes value) {
        return new Options(schedules, seed, strategy, depth, points, time, value, maxSteps, leaks, replay);
    }

    public Options withMaxSteps(int value) {
        return new Options(schedules, seed, strategy, depth, points, time, escapes, value, leaks, replay);
    }

    public Options withLeaks(boolean value) {
        return new Options(schedules, seed, strategy, depth, points, time, escapes, maxSteps, value, replay);
    }

    public Options withReplay(String code) {
        return new Options(schedules, seed, strategy, depth, points, time, escapes, maxSteps, leaks, code);
    }
}
