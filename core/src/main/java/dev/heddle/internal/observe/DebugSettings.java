package dev.heddle.internal.observe;

import dev.heddle.internal.settings.DidYouMean;
import dev.heddle.internal.settings.Settings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The settings that `HEDDLE_DEBUG`, the agent's options and `heddle debug PID` can change, in GODEBUG's syntax:
/// `schedtrace=1000,steals=1`.
///
/// @param schedtrace  interval in milliseconds at which the scheduler's line is printed to standard error; 0: never
/// @param scheddetail whether that line is followed by every processor, machine and goroutine
/// @param steals      whether it is followed by the line of steals
/// @param createdby   whether the places where goroutines are started are recorded
/// @param sigquit     whether the JVM's thread dumps are followed by a dump of the goroutines
/// @param metrics     the local port on which metrics are served, to this computer only; 0: none
public record DebugSettings(
        int schedtrace, boolean scheddetail, boolean steals, boolean createdby, boolean sigquit, int metrics) {

    public static final DebugSettings OFF = new DebugSettings(0, false, false, false, false, 0);

    /// The names of all settings.
    public static final List<String> KEYS = List.of(Settings.debugKeys());

    private static final int MAX_MILLIS = 1_000_000_000;
    private static final int MAX_PORT = 65_535;

    /// A copy of these settings in which the settings that `text` names are replaced.
    ///
    /// @throws IllegalArgumentException with a one-sentence message for the user
    public DebugSettings with(String text) {
        DebugSettings settings = this;
        for (String setting : text.split(",", -1)) {
            if (!setting.isBlank()) {
                int equals = setting.indexOf('=');
                String key = equals < 0 ? setting : setting.substring(0, equals);
                settings = settings.with(
                        key.strip(),
                        equals < 0 ? null : setting.substring(equals + 1).strip());
            }
        }
        return settings;
    }

    private DebugSettings with(String key, @Nullable String value) {
        return switch (key) {
            case "schedtrace" ->
                new DebugSettings(number(key, value, MAX_MILLIS), scheddetail, steals, createdby, sigquit, metrics);
            case "scheddetail" -> new DebugSettings(schedtrace, flag(key, value), steals, createdby, sigquit, metrics);
            case "steals" -> new DebugSettings(schedtrace, scheddetail, flag(key, value), createdby, sigquit, metrics);
            case "createdby" -> new DebugSettings(schedtrace, scheddetail, steals, flag(key, value), sigquit, metrics);
            case "sigquit" -> new DebugSettings(schedtrace, scheddetail, steals, createdby, flag(key, value), metrics);
            case "metrics" ->
                new DebugSettings(schedtrace, scheddetail, steals, createdby, sigquit, number(key, value, MAX_PORT));
            default ->
                throw new IllegalArgumentException("there is no setting '" + key + "'" + DidYouMean.hint(key, KEYS)
                        + "; there are " + String.join(", ", KEYS) + ".");
        };
    }

    /// As in Go, every number except 0 means on. The name alone means on, too.
    private static boolean flag(String key, @Nullable String value) {
        return value == null || number(key, value, Integer.MAX_VALUE) > 0;
    }

    private static int number(String key, @Nullable String value, int max) {
        if (value == null) {
            throw new IllegalArgumentException(key + " needs a number from 0 to " + max + ": " + key + "=N.");
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw new IllegalArgumentException(
                key + "=" + value + " is refused: it must be a number from 0 to " + max + ".");
    }

    /// In the syntax of [#with].
    @Override
    public String toString() {
        return "schedtrace=" + schedtrace + ",scheddetail=" + (scheddetail ? 1 : 0) + ",steals=" + (steals ? 1 : 0)
                + ",createdby=" + (createdby ? 1 : 0) + ",sigquit=" + (sigquit ? 1 : 0) + ",metrics=" + metrics;
    }
}
