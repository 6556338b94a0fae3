package dev.heddle;

import org.jspecify.annotations.Nullable;

/// What a scheduler gets when it is not told: the one place where environment and system properties are read.
final class Defaults {

    private Defaults() {}

    /// The properties that say the same as the settings of `HEDDLE_DEBUG`; those of `dev.heddle.observe`,
    /// which is not to be loaded for nothing.
    private static final String[] DEBUG_KEYS = {"schedtrace", "scheddetail", "steals", "createdby", "sigquit", "metrics"
    };

    /// The settings of `HEDDLE_DEBUG` (GODEBUG's syntax), and after them those of `-Dheddle.<key>`, which
    /// win; null when there are none.
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

    /// The value of `-Dheddle.<key>`, or what it is when not set.
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
            // said below
        }
        System.err.println("heddle: ignoring " + what + "=" + value + ": it must be a positive number");
        return null;
    }
}
