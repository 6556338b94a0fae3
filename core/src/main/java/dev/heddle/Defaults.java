package dev.heddle;

import org.jspecify.annotations.Nullable;

/// What a scheduler gets when it is not told: the one place where environment and system properties are read.
final class Defaults {

    private Defaults() {}

    /// The value of `key` in `HEDDLE_DEBUG` (GODEBUG's syntax) or of `-Dheddle.<key>`; 0 when it is not set.
    static int debug(String key) {
        Integer property = positive("heddle." + key, System.getProperty("heddle." + key));
        if (property != null) {
            return property;
        }
        String settings = System.getenv("HEDDLE_DEBUG");
        if (settings != null) {
            for (String setting : settings.split(",", -1)) {
                int equals = setting.indexOf('=');
                if (equals > 0 && setting.substring(0, equals).strip().equals(key)) {
                    Integer value = positive("HEDDLE_DEBUG " + key, setting.substring(equals + 1));
                    return value == null ? 0 : value;
                }
            }
        }
        return 0;
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
