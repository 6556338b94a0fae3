package dev.heddle.testkit.internal;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.FailureKind;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.Report;
import dev.heddle.testkit.ScheduleFailure;
import dev.heddle.testkit.Strategy;
import dev.heddle.testkit.internal.choose.Chooser;
import dev.heddle.testkit.internal.choose.Exhaustive;
import dev.heddle.testkit.internal.choose.Replay;
import dev.heddle.testkit.internal.weave.Points;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Runs a test under many schedules, and explains the first that fails.
public final class Checker {

    private static final int FIRST_GUESS_OF_STEPS = 20;

    private final Options options;
    private final Points points;
    private final Bubble.Body body;
    private final Set<Long> seen = new HashSet<>();
    private long steps;
    private int longest = FIRST_GUESS_OF_STEPS;

    /// What one schedule did.
    private record Outcome(@Nullable Failure failure, Trace trace, boolean hasEscaped) {}

    private Checker(Options options, Points points, Bubble.Body body) {
        this.options = options;
        this.points = points;
        this.body = body;
    }

    /// See [Bubble#check(Options, Bubble.Body)].
    public static Report check(Options options, String ownPackage, Bubble.Body body) {
        Points points = Points.of(options, ownPackage);
        Installation.require().weave(points);
        if (Hooks.currentBubble() != null) {
            throw new IllegalStateException("a bubble cannot run in a bubble: end one check before the next.");
        }
        Checker checker = new Checker(options, points, body);
        if (Thread.currentThread().isVirtual()) {
            return OnPlatformThread.call(checker::check);
        }
        return checker.check();
    }

    private Report check() {
        try (Watchdog _ = Watchdog.watch(Thread.currentThread(), points)) {
            if (!options.replay().isEmpty()) {
                return replay(ReplayCode.parse(options.replay()));
            }
            return options.strategy() == Strategy.EXHAUSTIVE ? exhaust() : sample();
        }
    }

    // ---- the schedules

    private Report sample() {
        long firstSeed = Seeds.of(options.seed(), 0);
        ReplayCode code = new ReplayCode(firstSeed, new TreeMap<>());
        Outcome warmUp = run(firstSeed, Chooser.of(options, 0, firstSeed, longest), null);
        if (warmUp.failure() != null && warmUp.failure().kind() == FailureKind.ESCAPE) {
            // at once: a class initialiser that failed does not run again
            throw failure(warmUp.failure(), 1, code, "failed in the first run", null);
        }
        Outcome first = null;
        int count = options.strategy().isSingle() ? 1 : options.schedules();
        for (int i = 0; i < count; i++) {
            long seed = Seeds.of(options.seed(), i);
            Outcome outcome =
                    run(seed, Chooser.of(options, i, seed, first == null ? FIRST_GUESS_OF_STEPS : longest), null);
            count(outcome);
            if (outcome.failure() != null) {
                throw explain(outcome, outcome.failure(), seed, i + 1, count);
            }
            first = first == null ? outcome : first;
            if (i == 0 && warmUp.failure() != null) {
                throw failedOnlyOnce(warmUp.failure());
            }
        }
        Outcome again = run(firstSeed, Chooser.of(options, 0, firstSeed, FIRST_GUESS_OF_STEPS), null);
        requireSame(first, again, code);
        return new Report(count, seen.size(), steps, /* complete= */ false);
    }

    private Report exhaust() {
        Exhaustive chooser = new Exhaustive(options.effectiveDepth());
        run(Seeds.of(options.seed(), 0), new Replay(new TreeMap<>()), null); // initialises classes
        boolean isComplete = false;
        int count = 0;
        while (count < options.schedules() && !isComplete) {
            chooser.begin();
            long seed = Seeds.of(options.seed(), 0); // one for all: random numbers are not explored
            Outcome outcome = run(seed, chooser, null);
            count(outcome);
            count++;
            if (chooser.mismatch() != null) {
                throw notReproducible(chooser.mismatch(), count);
            }
            if (outcome.failure() != null) {
                throw explain(outcome, outcome.failure(), seed, count, options.schedules());
            }
            isComplete = !chooser.advance();
        }
        return new Report(count, seen.size(), steps, isComplete);
    }

    private Report replay(ReplayCode code) {
        run(code.seed(), new Replay(code.deviations()), null); // initialises classes
        Story story = new Story();
        Outcome outcome = run(code.seed(), new Replay(code.deviations()), story);
        count(outcome);
        if (outcome.failure() != null) {
            throw failure(outcome.failure(), 1, code, "failed in the replay of " + code, story);
        }
        return new Report(1, 1, steps, /* complete= */ false);
    }

    private Outcome run(long seed, Chooser chooser, @Nullable Story story) {
        BubbleRun run = new BubbleRun(options, points, seed, chooser, story);
        Failure failure = run.run(body);
        longest = Math.max(longest, run.steps());
        return new Outcome(failure, run.trace, run.hasEscaped());
    }

    private void count(Outcome outcome) {
        steps += outcome.trace().steps();
        seen.add(outcome.trace().hash());
    }

    // ---- failures

    private ScheduleFailure explain(Outcome failed, Failure failure, long seed, int schedule, int of) {
        String title = "failed in schedule " + schedule + " of " + of;
        SortedMap<Integer, Integer> choices = failed.trace().choices();
        if (!fails(seed, choices, failure)) {
            boolean isEscape = failure.kind() == FailureKind.ESCAPE; // what is outside need not do the same again
            return failure(
                    new Failure(
                            isEscape ? FailureKind.ESCAPE : FailureKind.NOT_REPRODUCIBLE,
                            failure.sentence() + "; the same schedule, run again, did not fail so",
                            failure.cause(),
                            failure.thread()),
                    schedule,
                    new ReplayCode(seed, choices),
                    title,
                    null);
        }
        Minimiser minimiser = new Minimiser(fewer -> fails(seed, fewer, failure));
        SortedMap<Integer, Integer> few = minimiser.minimise(choices);
        Story story = new Story();
        ReplayCode code = new ReplayCode(seed, few);
        Outcome last = run(seed, new Replay(few), story);
        return failure(
                last.failure() == null ? failure : last.failure(),
                schedule,
                code,
                title + ", minimised from " + choices.size() + " choices to " + few.size() + " in " + minimiser.runs()
                        + " runs",
                story);
    }

    private boolean fails(long seed, SortedMap<Integer, Integer> deviations, Failure failure) {
        return failure.isLike(run(seed, new Replay(deviations), null).failure());
    }

    private static ScheduleFailure failure(
            Failure failure, int schedule, ReplayCode code, String title, @Nullable Story story) {
        StringBuilder text = new StringBuilder(failure.kind().title())
                .append(": ")
                .append(failure.sentence())
                .append("\n  ")
                .append(title)
                .append("\n  replay with @HeddleTest(replay = \"")
                .append(code)
                .append("\") or -Dheddle.test.replay=")
                .append(code);
        if (story != null) {
            story.lines().forEach(line -> text.append('\n').append(line));
        }
        return new ScheduleFailure(failure.kind(), schedule, code.toString(), text.toString(), failure.cause());
    }

    private static ScheduleFailure failedOnlyOnce(Failure failure) {
        return new ScheduleFailure(
                FailureKind.NOT_REPRODUCIBLE,
                1,
                "",
                FailureKind.NOT_REPRODUCIBLE.title() + ": the first run failed (" + failure.sentence()
                        + "), and the same schedule, run again, did not: state outlives the schedule, for example a static"
                        + " field; make it anew in each one",
                failure.cause());
    }

    private static void requireSame(@Nullable Outcome first, Outcome again, ReplayCode code) {
        if (again.failure() != null && again.failure().kind() == FailureKind.ESCAPE) {
            throw failure(again.failure(), 1, code, "failed in the last run", null);
        }
        if (first != null && !first.hasEscaped() && !again.hasEscaped()) {
            String difference = first.trace().differenceTo(again.trace());
            if (difference != null || again.failure() != null) {
                throw notReproducible(difference == null ? "it failed now" : difference, 1);
            }
        }
    }

    private static ScheduleFailure notReproducible(@Nullable String difference, int schedule) {
        return new ScheduleFailure(
                FailureKind.NOT_REPRODUCIBLE,
                schedule,
                "",
                FailureKind.NOT_REPRODUCIBLE.title() + ": the same schedule, run again, was another one (" + difference
                        + "): the test depends on chance that is not from the seed, or on state that outlives the schedule,"
                        + " for example a static field; see \"Chance\" in docs/testkit.md",
                null);
    }
}
