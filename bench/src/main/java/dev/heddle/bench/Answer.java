package dev.heddle.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/// A peer's answer to a request: one line.
sealed interface Answer {

    /// The program ran: its figures by name. Infinity means that the event never happened.
    record Figures(Map<String, Double> values) implements Answer {}

    /// The peer has no such program.
    record Unsupported() implements Answer {}

    /// The result was wrong, or the peer did not answer.
    record Failed(String why) implements Answer {}

    static Answer parse(String line) {
        String[] words = line.split(" ", -1);
        return switch (words[0]) {
            case "ok" -> figures(words, line);
            case "unsupported" -> new Unsupported();
            case "failed" -> new Failed(line.substring("failed".length()).strip());
            default -> new Failed("it said '" + line + "', which is no answer");
        };
    }

    private static Answer figures(String[] words, String line) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            String[] parts = words[i].split("=", 2);
            try {
                values.put(
                        parts[0], parts[1].equals("never") ? Double.POSITIVE_INFINITY : Double.parseDouble(parts[1]));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException _) {
                return new Failed("it said '" + line + "', which is no answer");
            }
        }
        return new Figures(values);
    }
}
