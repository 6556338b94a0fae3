package dev.heddle.bench;

import java.util.ArrayList;
import java.util.List;

/// A [Comparison] as lines of text: one row for each measure, one column for each peer.
final class TextTable {

    private TextTable() {}

    static String of(Comparison comparison) {
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("", "", comparison.base()));
        comparison.others().forEach(it -> head.addAll(List.of(it, "")));
        lines.add(head);
        for (Comparison.Row row : comparison.rows()) {
            List<String> line = new ArrayList<>(List.of(
                    row.id() + " " + row.label(), row.unit().name(), row.unit().write(row.own())));
            for (String other : comparison.others()) {
                Spread spread = row.theirs().get(other);
                line.add(spread == null ? "-" : row.unit().write(spread));
                line.add(row.ratio(other).map(Scaled::writeRatio).orElse(""));
            }
            lines.add(line);
        }
        List<String> means = new ArrayList<>(List.of("geometric mean", "", ""));
        for (String other : comparison.others()) {
            double mean = Spread.geometricMean(comparison.ratios(other));
            means.addAll(List.of("", Double.isNaN(mean) ? "" : Scaled.writeRatio(mean)));
        }
        lines.add(means);
        return comparison.title() + "\n" + aligned(lines);
    }

    /// Aligns the first column to the left, all others to the right.
    private static String aligned(List<List<String>> lines) {
        StringBuilder text = new StringBuilder();
        int[] widths = new int[lines.getFirst().size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        for (List<String> line : lines) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String padding = " ".repeat(widths[i] - line.get(i).length());
                row.append(i == 0 ? line.get(i) + padding : "  " + padding + line.get(i));
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
