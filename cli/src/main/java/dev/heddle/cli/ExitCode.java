package dev.heddle.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/// The exit codes of the commands.
final class ExitCode {

    static final int FAILURE = 1;
    static final int WRONG_USAGE = 2;

    /// Of `heddle doctor --exit-code`.
    static final int FOUND = 3;

    private ExitCode() {}

    /// Those of one command, with their meanings, for its help text.
    static Map<String, String> list(String command) {
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put("0", "The command did its work.");
        codes.put("1", "It could not, for the reason that it printed.");
        codes.put("2", "It was called in a wrong way.");
        switch (command) {
            case "run" -> codes.put("other", "That of the program.");
            case "doctor" -> codes.put("3", "It found a problem (only with --exit-code).");
            default -> {}
        }
        return codes;
    }
}
