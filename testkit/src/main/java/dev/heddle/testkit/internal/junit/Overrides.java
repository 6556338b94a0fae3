package dev.heddle.testkit.internal.junit;

import dev.heddle.internal.settings.DidYouMean;
import dev.heddle.testkit.Escapes;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.Strategy;
import dev.heddle.testkit.Time;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/// The system properties that override the attributes of every test: a nightly build runs more schedules, and a
/// developer repeats one.
final class Overrides {

    private static final String PREFIX = "heddle.test.";

    private static final Set<String> NAMES = Set.of(
            "schedules",
            "seed",
            "strategy",
            "depth",
            "points",
            "time",
            "escapes",
            "maxSteps",
            "leaks",
            "replay",
            "watchdog"); // of the whole JVM

    private Overrides() {}

    /// @throws IllegalArgumentException with one sentence for the user
    static Options apply(Options options) {
        refuseTypingErrors();
        Options changed = options;
        changed = one(changed, "schedules", "a number", Integer::valueOf, Options::withSchedules);
        changed = one(changed, "seed", "a number, or \"random\"", Overrides::seed, Options::withSeed);
        changed = one(
                changed,
                "strategy",
                names(Strategy.values()),
                text -> named(Strategy.class, text),
                Options::withStrategy);
        changed = one(changed, "depth", "a number", Integer::valueOf, Options::withDepth);
        changed = one(changed, "points", "classes, separated by commas", text -> text.split(","), Options::withPoints);
        changed = one(changed, "time", names(Time.values()), text -> named(Time.class, text), Options::withTime);
        changed = one(
                changed, "escapes", names(Escapes.values()), text -> named(Escapes.class, text), Options::withEscapes);
        changed = one(changed, "maxSteps", "a number", Integer::valueOf, Options::withMaxSteps);
        changed = one(changed, "leaks", "true or false", Overrides::truth, Options::withLeaks);
        return one(changed, "replay", "a code that a failure has printed", text -> text, Options::withReplay);
    }

    /// A property that is nearly one of these would be ignored, and a test would run otherwise than was asked.
    private static void refuseTypingErrors() {
        for (String property : System.getProperties().stringPropertyNames()) {
            String name = property.startsWith(PREFIX) ? property.substring(PREFIX.length()) : "";
            String meant = name.isEmpty() || NAMES.contains(name) ? null : DidYouMean.nearest(name, NAMES);
            if (meant != null) {
                throw new IllegalArgumentException("-D" + property
                        + " is refused: there is no such setting; did you mean -D" + PREFIX + meant + "?");
            }
        }
    }

    private static <T> Options one(
            Options options,
            String name,
            String expected,
            Function<String, T> parse,
            BiFunction<Options, T, Options> with) {
        String text = System.getProperty(PREFIX + name);
        if (text == null || text.isEmpty()) {
            return options;
        }
        T value;
        try {
            value = parse.apply(text);
        } catch (IllegalArgumentException _) {
            throw new IllegalArgumentException(
                    "-D" + PREFIX + name + "=" + text + " is refused: it must be " + expected + ".");
        }
        return with.apply(options, value);
    }

    private static Long seed(String text) {
        return text.equals("random") ? Long.valueOf(System.nanoTime()) : Long.valueOf(text);
    }

    private static Boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException();
        };
    }

    private static <E extends Enum<E>> E named(Class<E> type, String text) {
        return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
    }

    private static String names(Enum<?>[] values) {
        return "one of " + Arrays.toString(values);
    }
}
