package dev.heddle.bench;

import java.util.List;
import java.util.Locale;

/// A [Comparison] as an SVG picture: one line for each row, one point for each peer's ratio, on a logarithmic axis.
final class RatioPlot {

    private static final List<String> COLOURS = List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00");
    private static final int LABEL_WIDTH = 330;
    private static final int PLOT_WIDTH = 620;
    private static final int ROW_GAP = 12;
    private static final int POINT_GAP = 9;
    private static final int TOP = 46;

    /// Ratios beyond this are drawn at the edge.
    private static final double EDGE = 64;

    private final Comparison comparison;
    private final StringBuilder svg = new StringBuilder();

    private RatioPlot(Comparison comparison) {
        this.comparison = comparison;
    }

    static String of(Comparison comparison) {
        return new RatioPlot(comparison).draw();
    }

    private String draw() {
        List<Comparison.Row> rows = comparison.rows().stream()
                .filter(row -> comparison.others().stream()
                        .anyMatch(it -> row.ratio(it).isPresent()))
                .toList();
        int rowHeight = ROW_GAP + POINT_GAP * comparison.others().size();
        int height = TOP + rowHeight * rows.size() + 8;
        add(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
                LABEL_WIDTH + PLOT_WIDTH + 30, height, HtmlReport.escape(comparison.title()));
        grid(height);
        legend();
        int y = TOP;
        for (Comparison.Row row : rows) {
            add(
                    "<text x=\"0\" y=\"%d\">%s</text>\n",
                    y + rowHeight / 2 + 4, HtmlReport.escape(row.id() + " " + row.label()));
            for (int i = 0; i < comparison.others().size(); i++) {
                point(row, i, y + ROW_GAP / 2 + i * POINT_GAP + POINT_GAP / 2);
            }
            y += rowHeight;
        }
        return svg.append("</svg>\n").toString();
    }

    private void grid(int height) {
        for (double ratio = 1 / EDGE; ratio <= EDGE; ratio *= 2) {
            double x = x(ratio);
            add(
                    "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>\n",
                    ratio == 1 ? "one" : "grid", x, x, TOP - 6, height);
            String label = ratio < 1 ? "1/" + Math.round(1 / ratio) : Long.toString(Math.round(ratio));
            add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x, TOP - 12, label);
        }
    }

    private void legend() {
        int x = LABEL_WIDTH;
        for (int i = 0; i < comparison.others().size(); i++) {
            add("<circle cx=\"%d\" cy=\"10\" r=\"4\" fill=\"%s\"/>\n", x, colour(i));
            add(
                    "<text x=\"%d\" y=\"14\">%s</text>\n",
                    x + 9, HtmlReport.escape(comparison.others().get(i)));
            x += 90;
        }
    }

    private void point(Comparison.Row row, int peer, int y) {
        Spread spread = row.theirs().get(comparison.others().get(peer));
        if (spread == null || row.ratio(comparison.others().get(peer)).isEmpty()) {
            return;
        }
        double base = row.own().median();
        String colour = colour(peer);
        add(
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"1.5\"/>\n",
                x(spread.least() / base), x(spread.most() / base), y, y, colour);
        add(
                "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"%s\"><title>%s: %s</title></circle>\n",
                x(spread.median() / base),
                y,
                colour,
                HtmlReport.escape(comparison.others().get(peer)),
                Scaled.writeRatio(spread.dividedBy(row.own())));
    }

    private static String colour(int peer) {
        return COLOURS.get(peer % COLOURS.size());
    }

    private static double x(double ratio) {
        double inside = Math.clamp(ratio, 1 / EDGE, EDGE);
        return LABEL_WIDTH + PLOT_WIDTH * (Math.log(inside) / Math.log(EDGE) + 1) / 2;
    }

    private void add(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments));
    }
}
