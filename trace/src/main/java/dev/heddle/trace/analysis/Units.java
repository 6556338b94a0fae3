package dev.heddle.trace.analysis;

/// Times for people.
public final class Units {

    private Units() {}

    /// A time span with three digits or so: `1.25 ms`.
    public static String span(long nanos) {
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        if (nanos < 1_000_000) {
            return number(nanos / 1e3) + " us";
        }
        return nanos < 1_000_000_000 ? number(nanos / 1e6) + " ms" : number(nanos / 1e9) + " s";
    }

    private static String number(double value) {
        return value < 10 ? "%.2f".formatted(value) : value < 100 ? "%.1f".formatted(value) : "%,.0f".formatted(value);
    }

    /// A moment of the recording: `1.234567 s`.
    public static String moment(long nanos) {
        return "%.6f s".formatted(nanos / 1e9);
    }

    static String percent(long part, long whole) {
        return whole <= 0 ? "-" : "%.1f %%".formatted(100.0 * part / whole);
    }
}
