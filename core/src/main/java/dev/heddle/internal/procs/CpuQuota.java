package dev.heddle.internal.procs;

import org.jspecify.annotations.Nullable;

/// How much CPU time a cgroup may use per period.
///
/// @param quotaMicros CPU time per period, above 0
/// @param periodMicros the period, above 0
/// @param file the file it was read from: `cpu.max`, or `cpu.cfs_quota_us` for cgroup v1
/// @param group the cgroup it applies to, as `/proc/self/cgroup` names it
public record CpuQuota(long quotaMicros, long periodMicros, String file, String group) {

    public CpuQuota {
        if (quotaMicros <= 0 || periodMicros <= 0) {
            throw new IllegalArgumentException("quota " + quotaMicros + "/" + periodMicros + " is not above 0");
        }
    }

    /// The quota in CPUs: 1.5 for 150 ms per 100 ms.
    public double cpus() {
        return (double) quotaMicros / periodMicros;
    }

    /// The quota in whole CPUs, rounded up and exact, unlike a ceiling of [#cpus].
    public int roundedUp() {
        long whole = quotaMicros / periodMicros + (quotaMicros % periodMicros == 0 ? 0 : 1);
        return (int) Math.min(whole, Integer.MAX_VALUE);
    }

    /// Whether `procs` processors can use up the quota before the period ends, so that the kernel throttles them
    /// all.
    public boolean isBelow(int procs) {
        return quotaMicros / periodMicros < procs;
    }

    /// Reads `cpu.max` of cgroup v2, `quota period` or `max period`. Go: parseV2Limit.
    ///
    /// @return null for no limit
    static @Nullable CpuQuota parseV2(String path, String group, String text) throws MalformedFileException {
        int space = text.indexOf(' ');
        if (space < 0) {
            throw new MalformedFileException(path, "it is not \"quota period\"", text);
        }
        if (space == 3 && text.startsWith("max")) {
            return null;
        }
        int newline = text.indexOf('\n', space);
        long quota = Decimal.parse(text, 0, space);
        long period = newline < 0 ? Decimal.NONE : Decimal.parse(text, space + 1, newline);
        if (quota <= 0 || period <= 0) {
            throw new MalformedFileException(path, "it is not \"quota period\"", text);
        }
        return new CpuQuota(quota, period, "cpu.max", group);
    }

    /// Reads one number of a cgroup v1 file, such as `cpu.cfs_quota_us`. A line without its end may have been
    /// cut short, so it is refused.
    /// Go: parseV1Number.
    static long parseV1(String path, String text) throws MalformedFileException {
        int newline = text.indexOf('\n');
        boolean isNegative = text.startsWith("-");
        long number = newline < 0 ? Decimal.NONE : Decimal.parse(text, isNegative ? 1 : 0, newline);
        if (number == Decimal.NONE) {
            throw new MalformedFileException(path, "it is not a number and a line end", text);
        }
        return isNegative ? -number : number;
    }

    /// The text shared by all explanations: `cpu.max 200001/100000 in /kubepods/x`.
    @Override
    public String toString() {
        return file + " " + quotaMicros + "/" + periodMicros + " in " + group;
    }
}
