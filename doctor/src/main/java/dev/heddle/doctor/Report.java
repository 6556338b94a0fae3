package dev.heddle.doctor;

import dev.heddle.internal.wire.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Findings as text for users, and as JSON for programs.
public final class Report {

    /// Maximum number of frames shown of a stack. The dump has all of them.
    private static final int FRAMES = 12;

    private Report() {}

    /// A line for each scheduler, and what was found in it.
    public static List<String> text(String what, List<Diagnosis> diagnoses) {
        List<String> lines = new ArrayList<>();
        if (diagnoses.isEmpty()) {
            lines.add(what + ": it ran for too short a time to say anything");
        }
        for (Diagnosis diagnosis : diagnoses) {
            int found = diagnosis.findings().size();
            lines.add("%s, scheduler %s, watched for %.1f s: %s"
                    .formatted(
                            what,
                            diagnosis.scheduler(),
                            diagnosis.seconds(),
                            found == 0
                                    ? "nothing is wrong that the doctor knows"
                                    : found == 1 ? "1 cause" : found + " causes"));
            lines.addAll(text(diagnosis.findings()));
        }
        return lines;
    }

    /// One block of lines per finding.
    public static List<String> text(List<Finding> findings) {
        List<String> lines = new ArrayList<>();
        for (Finding finding : findings) {
            lines.add("  " + finding.cause().key() + ": " + finding.cause().title());
            column("seen", finding.evidence(), lines);
            if (!finding.stack().isEmpty()) {
                List<String> stack = new ArrayList<>();
                if (finding.goroutine() != 0) {
                    stack.add("goroutine " + finding.goroutine());
                }
                finding.stack().stream().limit(FRAMES).forEach(it -> stack.add("at " + it));
                column("look at", stack, lines);
            }
            column("do", wrap(finding.remedy()), lines);
        }
        return lines;
    }

    /// A label, and beside it the lines that belong to it.
    static void column(String word, List<String> texts, List<String> into) {
        String label = word;
        for (String text : texts) {
            into.add("    %-8s %s".formatted(label, text));
            label = "";
        }
    }

    static List<String> wrap(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.strip().split(" ")) {
            if (line.length() + word.length() > 100) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /// An object for each scheduler: its name, the seconds, and the findings with cause, title, evidence,
    /// goroutine, stack and remedy.
    public static String json(List<Diagnosis> diagnoses) {
        return Json.of(diagnoses.stream().map(Report::document).toList());
    }

    private static Map<String, Object> document(Diagnosis diagnosis) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("scheduler", diagnosis.scheduler());
        document.put("seconds", Math.round(diagnosis.seconds() * 10) / 10.0);
        document.put(
                "findings", diagnosis.findings().stream().map(Report::document).toList());
        return document;
    }

    /// One finding as a map, for JSON.
    public static Map<String, Object> document(Finding finding) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("cause", finding.cause().key());
        document.put("title", finding.cause().title());
        document.put("evidence", finding.evidence());
        document.put("goroutine", finding.goroutine());
        document.put("stack", finding.stack());
        document.put("remedy", finding.remedy());
        return document;
    }
}
