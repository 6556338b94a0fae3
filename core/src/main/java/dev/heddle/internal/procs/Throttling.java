package dev.heddle.internal.procs;

import java.util.concurrent.TimeUnit;

/// How often the kernel stopped the process because its CPU quota was used up (CFS throttling), from `cpu.stat`.
///
/// The numbers are those of the process's cgroup and its visible ancestors together: a quota anywhere above stops the
/// process too. They include the other members of those groups.
///
/// @param periods periods in which the group ran
/// @param throttledPeriods periods in which it used up its quota and was stopped
/// @param throttledNanos for how long it was stopped, added up over CPUs
public record Throttling(long periods, long throttledPeriods, long throttledNanos) {
    /// Never throttled: no cgroup, no quota, or no `cpu.stat`.
    public static final Throttling NONE = new Throttling(0, 0, 0);

    /// What was added since `earlier`; never negative, though the counters restart in another cgroup.
    public Throttling since(Throttling earlier) {
        return new Throttling(
                Math.max(0, periods - earlier.periods),
                Math.max(0, throttledPeriods - earlier.throttledPeriods),
                Math.max(0, throttledNanos - earlier.throttledNanos));
    }

    Throttling plus(Throttling other) {
        return new Throttling(
                periods + other.periods,
                throttledPeriods + other.throttledPeriods,
                throttledNanos + other.throttledNanos);
    }

    /// Reads `cpu.stat` of either version: v1 has `throttled_time` in nanoseconds, v2 `throttled_usec`. A v2 group
    /// without the cpu controller has none of the three lines, and was not throttled.
    static Throttling parse(String path, String text) throws MalformedFileException {
        long micros = number(path, text, "throttled_usec ");
        long nanos = micros > 0 ? TimeUnit.MICROSECONDS.toNanos(micros) : number(path, text, "throttled_time ");
        return new Throttling(number(path, text, "nr_periods "), number(path, text, "nr_throttled "), nanos);
    }

    private static long number(String path, String text, String key) throws MalformedFileException {
        for (int start = 0; start < text.length(); ) {
            int end = text.indexOf('\n', start);
            if (end < 0) {
                end = text.length();
            }
            if (text.startsWith(key, start)) {
                long number = Decimal.parse(text, start + key.length(), end);
                if (number == Decimal.NONE) {
                    throw new MalformedFileException(path, "a counter is not a number", text.substring(start, end));
                }
                return number;
            }
            start = end + 1;
        }
        return 0;
    }
}
