package dev.heddle.doctor;

import dev.heddle.internal.wire.Json;
import dev.heddle.trace.Recording;
import dev.heddle.trace.analysis.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a recording proves, as text for users and as JSON for programs.
public final class RecordedReport {

    private RecordedReport() {}

    public static List<String> text(Recording recording, List<RecordedFinding> findings) {
        List<String> lines = new ArrayList<>();
        lines.add("%s, a recording of %s: %s"
                .formatted(
                        recording.file().getFileName(),
                        Units.span(recording.to() - recording.from()),
                        findings.isEmpty()
                                ? "nothing is wrong that the doctor knows"
                                : findings.size() == 1 ? "1 cause" : findings.size() + " causes"));
        for (RecordedFinding finding : findings) {
            lines.add("  " + finding.cause().key() + ": " + finding.cause().title());
            Report.column("seen", finding.evidence(), lines);
            if (recording.schedulers().size() > 1) {
                Report.column("in", List.of("scheduler " + finding.scheduler()), lines);
            }
            Report.column("do", Report.wrap(finding.cause().remedy()), lines);
        }
        return lines;
    }

    /// The file, the length, and the findings with cause, title, scheduler, evidence and remedy.
    public static String json(Recording recording, List<RecordedFinding> findings) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("file", recording.file().toString());
        document.put("seconds", (recording.to() - recording.from()) / 1e9);
        document.put("notes", recording.notes());
        document.put(
                "findings",
                findings.stream()
                        .map(it -> {
                            Map<String, Object> finding = new LinkedHashMap<>();
                            finding.put("cause", it.cause().key());
                            finding.put("title", it.cause().title());
                            finding.put("scheduler", it.scheduler());
                            finding.put("evidence", it.evidence());
                            finding.put("remedy", it.cause().remedy().strip());
                            return finding;
                        })
                        .toList());
        return Json.of(document);
    }
}
