package dev.heddle.internal.procs;

/// Non-negative decimal numbers as the kernel prints them: ASCII digits and nothing else. Unlike `Long.parseLong` it
/// takes no sign and no other script's digits, and says no without an exception.
final class Decimal {
    /// The answer for text that is not such a number, or exceeds a `long`.
    static final long NONE = -1;

    private Decimal() {}

    static long parse(String text) {
        return parse(text, 0, text.length());
    }

    static long parse(String text, int from, int to) {
        if (from >= to) {
            return NONE;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                return NONE;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
