package dev.heddle;

import org.jspecify.annotations.Nullable;

/// Defaults for options that a program does not set, read from the environment and system properties.
final class Defaults {

    private Defaults() {}

    /// The settings of `HEDDLE_DEBUG` that can also be given as system properties. They repeat the names in
    /// `dev.heddle.internal.observe`, so that this package is loaded only if debugging is on.
    private static final String[] DEBUG_KEYS = {"schedtrace", "scheddetail", "steals", "createdby", "sigquit", "metrics"
    };

    /// The settings of `HEDDLE_DEBUG` (GODEBUG's syntax), followed by those of `-Dheddle.<key>`, which take
    /// precedence; null when there are none.
    static @Nullable String debug() {
        String settings = System.getenv("HEDDLE_DEBUG");
        for (String key : DEBUG_KEYS) {
            String value = System.getProperty("heddle." + key);
            if (value != null) {
                String setting = key + "=" + value;
                settings = settings == null ? setting : settings + "," + setting;
            }
        }
        return settings == null || settings.isBlank() ? null : settings;
    }

    /// The value of `-Dheddle.<key>`; `otherwise` if it is not set or not a positive number.
    static int number(String key, int otherwise) {
        Integer value = positive("heddle." + key, System.getProperty("heddle." + key));
        return value == null ? otherwise : value;
    }

    private static @Nullable Integer positive(String what, @Nullable String value) {
        if (value == null || value.isBlank()) {
            return null;
        }
        try {
            int number = Integer.parseInt(value.strip());
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        System.err.println("heddle: ignoring " + what + "=" + value + ": it must be a positive number");
        return null;
    }
}
