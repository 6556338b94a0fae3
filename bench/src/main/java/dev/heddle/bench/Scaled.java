package dev.heddle.bench;

import java.util.Locale;

/// A readable unit for the figures of one row, and their format in it.
///
/// @param name   `ns`, `µs`, `ms`, `s`, `B`, or empty for plain numbers
/// @param factor the number of the measure's own units in this unit
record Scaled(String name, double factor) {

    /// The unit for a row of figures around `typical`.
    static Scaled fitting(Measure measure, double typical) {
        return switch (measure.unit()) {
            case BYTES -> new Scaled("B", 1);
            case COUNT -> new Scaled("", 1);
            case NANOS, NANOS_PER_OPERATION -> {
                if (!Double.isFinite(typical) || typical >= 1e9) {
                    yield new Scaled("s", 1e9);
                }
                yield typical >= 1e6
                        ? new Scaled("ms", 1e6)
                        : typical >= 1e4 ? new Scaled("µs", 1e3) : new Scaled("ns", 1);
            }
        };
    }

    /// Formats a figure: two decimals below 10, one below 100, otherwise none. Counts have no decimals.
    String write(double figure) {
        if (Double.isInfinite(figure)) {
            return "never";
        }
        if (name.isEmpty()) {
            return Long.toString(Math.round(figure));
        }
        double value = figure / factor;
        return String.format(Locale.ROOT, value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f", value);
    }

    /// A figure with its unit.
    static String written(Measure measure, double figure) {
        Scaled unit = fitting(measure, figure);
        if (Double.isInfinite(figure)) {
            return unit.write(figure);
        }
        return (unit.write(figure) + " " + unit.name).strip();
    }

    String write(Spread spread) {
        if (Double.isInfinite(spread.least())) {
            return write(spread.least());
        }
        return "%s (%s..%s)".formatted(write(spread.median()), write(spread.least()), write(spread.most()));
    }

    static String writeRatio(double ratio) {
        return Double.isInfinite(ratio) ? "x∞" : String.format(Locale.ROOT, ratio >= 99.95 ? "x%.0f" : "x%.2f", ratio);
    }
}
