package dev.heddle.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The line in which a JVM describes its scheduler: `class@identity[name, key = value, ...]`.
///
/// @param identity the class and the identity hash of the scheduler
/// @param name     the scheduler's name, or the state of a scheduler that is not Heddle's
/// @param values   the figures by name, in the order of the line
record SchedulerLine(String identity, String name, Map<String, String> values) {

    private static final Map<String, String> MEANINGS = Map.of(
            "parallelism", "processors (GOMAXPROCS)",
            "size", "carrier threads",
            "active", "of them not idle",
            "running", "live virtual threads and goroutines",
            "steals", "steals",
            "tasks", "waiting in local queues",
            "submissions", "waiting in the global queue",
            "sockets", "tell threads that their sockets are ready",
            "mounts", "for JVMTI (see docs/adr/0004)");

    /// Parses the line. A line of another form becomes the identity.
    static SchedulerLine parse(String line) {
        int open = line.indexOf('[');
        if (open < 0 || !line.endsWith("]")) {
            return new SchedulerLine(line, "", Map.of());
        }
        String name = "";
        Map<String, String> values = new LinkedHashMap<>();
        for (String part : line.substring(open + 1, line.length() - 1).split(", ", -1)) {
            int equals = part.indexOf(" = ");
            if (equals < 0) {
                name = part;
            } else {
                values.put(part.substring(0, equals), part.substring(equals + 3));
            }
        }
        return new SchedulerLine(line.substring(0, open), name, values);
    }

    boolean isHeddle() {
        return identity.startsWith("dev.heddle.");
    }

    /// One line per figure, with its meaning.
    List<String> explain() {
        List<String> lines = new ArrayList<>();
        values.forEach((key, value) -> lines.add("%22s  %s".formatted(value, MEANINGS.getOrDefault(key, key))));
        return lines;
    }
}
