package dev.heddle.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The text report with plots added, in one self-contained file.
final class HtmlReport {

    private HtmlReport() {}

    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>heddle bench</title>
            <style>
            :root { color-scheme: light dark; --ink: #1a1a1a; --faint: #8886; --paper: #fff; }
            @media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #161616; } }
            body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto; max-width: 66rem; padding: 0 1rem; }
            h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85rem; }
            th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid var(--faint); white-space: nowrap; }
            th:first-child, td:first-child { text-align: left; }
            .scroll { overflow-x: auto; } .behind { color: #c2410c; } ul { padding-left: 1.2rem; }
            svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg { width: 100%%; height: auto; }
            .grid { stroke: var(--faint); } .one { stroke: var(--ink); stroke-width: 1.5; }
            </style>
            <h1>Heddle beside other schedulers</h1>
            <ul>%s</ul>
            <p>A point is how many times Heddle's median a peer needs, its line from the least to the most of the runs. To the right of 1
            Heddle is ahead. Ratios belong to one run on one machine.</p>
            %s
            </html>
            """;

    static String of(Circumstances circumstances, Results results, List<Comparison> comparisons) {
        StringBuilder head = new StringBuilder();
        Stream.concat(circumstances.lines().stream(), results.cores().stream())
                .forEach(it -> head.append("<li>").append(escape(it)).append("</li>\n"));
        StringBuilder body = new StringBuilder();
        for (Comparison comparison : comparisons) {
            body.append("<h2>").append(escape(comparison.title())).append("</h2>\n");
            body.append(RatioPlot.of(comparison));
            body.append("<div class=\"scroll\">\n").append(table(comparison)).append("</div>\n");
        }
        return PAGE.formatted(head, body);
    }

    private static String table(Comparison comparison) {
        StringBuilder table = new StringBuilder("<table>\n<tr><th>median (least..most)</th><th></th><th>");
        table.append(escape(comparison.base())).append("</th>");
        comparison
                .others()
                .forEach(it -> table.append("<th>").append(escape(it)).append("</th><th>ratio</th>"));
        table.append("</tr>\n");
        for (Comparison.Row row : comparison.rows()) {
            table.append("<tr>");
            cell(table, row.id() + " " + row.label());
            cell(table, row.unit().name());
            cell(table, row.unit().write(row.own()));
            for (String other : comparison.others()) {
                Spread spread = row.theirs().get(other);
                cell(table, spread == null ? "-" : row.unit().write(spread));
                double ratio = row.ratio(other).orElse(Double.NaN);
                table.append(ratio < 1 ? "<td class=\"behind\">" : "<td>")
                        .append(Double.isNaN(ratio) ? "" : Scaled.writeRatio(ratio))
                        .append("</td>");
            }
            table.append("</tr>\n");
        }
        table.append("<tr><td>geometric mean</td><td></td><td></td>");
        for (String other : comparison.others()) {
            double mean = Spread.geometricMean(comparison.ratios(other));
            table.append("<td></td><td>")
                    .append(Double.isNaN(mean) ? "" : String.format(Locale.ROOT, "x%.2f", mean))
                    .append("</td>");
        }
        return table.append("</tr>\n</table>\n").toString();
    }

    private static void cell(StringBuilder table, String text) {
        table.append("<td>").append(escape(text)).append("</td>");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
