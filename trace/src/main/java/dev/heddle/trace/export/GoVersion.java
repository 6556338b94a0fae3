package dev.heddle.trace.export;

/// The versions of Go's trace format that can be written. The number is that of the Go release that introduced it.
public enum GoVersion {
    /// For tools that were built before Go 1.23.
    GO_22(22),
    /// What Go 1.26 and 1.27 write.
    GO_26(26);

    final int number;

    GoVersion(int number) {
        this.number = number;
    }

    /// Whether the first batch of a generation says when it began, by the clock on the wall too.
    boolean hasClockSnapshot() {
        return number >= 25;
    }

    /// Whether a byte marks the end of each generation.
    boolean hasEndMark() {
        return number >= 26;
    }
}
