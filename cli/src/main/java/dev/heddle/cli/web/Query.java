package dev.heddle.cli.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The arguments of a request: `after=12&scheduler=heddle`.
final class Query {

    private final Map<String, String> arguments = new HashMap<>();

    /// @throws IllegalArgumentException with one sentence, if the text is malformed
    Query(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return;
        }
        for (String argument : text.split("&", -1)) {
            int equals = argument.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("The argument '" + argument + "' has no value.");
            }
            try {
                arguments.put(
                        argument.substring(0, equals),
                        URLDecoder.decode(argument.substring(equals + 1), StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("The argument '" + argument + "' is malformed.", e);
            }
        }
    }

    /// The value; empty if there is none.
    String text(String name) {
        return arguments.getOrDefault(name, "");
    }

    /// @throws IllegalArgumentException with one sentence, if it is no number from `min` to `max`
    long number(String name, long min, long max) {
        try {
            long number = Long.parseLong(text(name));
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // as if it were out of bounds
        }
        throw new IllegalArgumentException(
                "%s must be a number from %d to %d, not '%s'.".formatted(name, min, max, text(name)));
    }
}
