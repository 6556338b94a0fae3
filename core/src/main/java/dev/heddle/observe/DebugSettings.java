package dev.heddle.observe;

import java.util.List;

/// What `HEDDLE_DEBUG`, the agent's options and `heddle debug PID` can switch, in GODEBUG's syntax:
/// `schedtrace=1000,steals=1`.
///
/// @param schedtrace every so many milliseconds the scheduler's line on standard error; 0: never
/// @param scheddetail whether that line is followed by every processor, machine and goroutine
/// @param steals      whether it is followed by the line of steals
/// @param createdby   whether it is noted where goroutines are started
/// @param sigquit     whether the JVM's thread dumps are followed by one of the goroutines
/// @param metrics     the port on which metrics are served to this machine; 0: on none
public record DebugSettings(
        int schedtrace, boolean scheddetail, boolean steals, boolean createdby, boolean sigquit, int metrics) {

    public static final DebugSettings OFF = new DebugSettings(0, false, false, false, false, 0);

    /// The names of all settings.
    public static final List<String> KEYS =
            List.of("schedtrace", "scheddetail", "steals", "createdby", "sigquit", "metrics");

    private static final int MAX_MILLIS = 1_000_000_000;
    private static final int MAX_PORT = 65_535;

    /// These settings, changed by those that `text` names.
    ///
    /// @throws IllegalArgumentException with one sentence for the user
    public DebugSettings with(String text) {
        DebugSettings settings = this;
        for (String setting : text.split(",", -1)) {
            if (!setting.isBlank()) {
                int equals = setting.indexOf('=');
                String key = equals < 0 ? setting : setting.substring(0, equals);
                settings = settings.with(
                        key.strip(),
                        equals < 0 ? "1" : setting.substring(equals + 1).strip());
            }
        }
        return settings;
    }

    private DebugSettings with(String key, String value) {
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
                throw new IllegalArgumentException(
                        "there is no setting '" + key + "'; there are " + String.join(", ", KEYS) + ".");
        };
    }

    /// As in Go, every number but 0 switches on.
    private static boolean flag(String key, String value) {
        return number(key, value, Integer.MAX_VALUE) > 0;
    }

    private static int number(String key, String value, int max) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // said below
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
