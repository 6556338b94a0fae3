package dev.heddle.bench;

/// A figure of a workload: less is better.
///
/// @param key what the peers call it
/// @param label what is added to the workload's title, if it has several
/// @param unit what it is counted in
record Measure(String key, String label, Unit unit) {

    /// What most workloads have: wall time for one operation.
    static final Measure TIME = new Measure("wall", "", Unit.NANOS_PER_OPERATION);

    enum Unit {
        /// Divided by the number of operations of the run.
        NANOS_PER_OPERATION,
        NANOS,
        BYTES,
        COUNT
    }

    /// The figure of a run with so many operations.
    double of(double figure, int operations) {
        return unit == Unit.NANOS_PER_OPERATION ? figure / operations : figure;
    }
}
