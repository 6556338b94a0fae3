package dev.heddle.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Findings as text for people, and as JSON for programs.
public final class Report {

    /// Frames shown of a stack: the rest is in the dump.
    private static final int FRAMES = 12;

    private Report() {}

    /// One block of lines per finding.
    public static List<String> text(List<Finding> findings) {
        List<String> lines = new ArrayList<>();
        for (Finding finding : findings) {
            lines.add(finding.cause().key() + ": " + finding.cause().title());
            finding.evidence().forEach(it -> lines.add("    " + it));
            if (!finding.stack().isEmpty()) {
                lines.add("  look at" + (finding.goroutine() == 0 ? "" : " goroutine " + finding.goroutine()));
                finding.stack().stream().limit(FRAMES).forEach(it -> lines.add("    at " + it));
            }
            lines.add("  do");
            wrap(finding.cause().remedy()).forEach(it -> lines.add("    " + it));
        }
        return lines;
    }

    private static List<String> wrap(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.strip().split(" ")) {
            if (line.length() + word.length() > 110) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /// An array of objects: cause, title, evidence, goroutine, stack, remedy.
    public static String json(List<Finding> findings) {
        return findings.stream().map(Report::json).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String json(Finding finding) {
        return "{\"cause\": %s, \"title\": %s, \"evidence\": %s, \"goroutine\": %d, \"stack\": %s, \"remedy\": %s}"
                .formatted(
                        quote(finding.cause().key()),
                        quote(finding.cause().title()),
                        array(finding.evidence()),
                        finding.goroutine(),
                        array(finding.stack()),
                        quote(finding.cause().remedy().strip()));
    }

    private static String array(List<String> values) {
        return values.stream().map(Report::quote).collect(Collectors.joining(", ", "[", "]"));
    }

    /// A JSON string.
    public static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                default -> {
                    if (c < ' ') {
                        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
