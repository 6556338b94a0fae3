package dev.heddle.bench;

/// A figure of a workload: less is better.
///
/// @param key what the peers call it
/// @param label what is added to the workload's title, if it has several
/// @param unit what it is counted in
record Measure(String key, String label, Unit unit) {

    /// What most workloads have: wall time for one operation.
    static final Measure TIME = new Measure("wall", "", Unit.NANOS_PER_OPERATION);

    /// What every run reports beside: CPU time of the whole process, compiler and collector included.
    static final Measure CPU = new Measure("cpu", "CPU", Unit.NANOS_PER_OPERATION);

    static final Measure P50 = new Measure("p50", "median", Unit.NANOS);
    static final Measure P99 = new Measure("p99", "99 of 100 are below", Unit.NANOS);

    enum Unit {
        /// Divided by the number of operations of the run.
        NANOS_PER_OPERATION,
        NANOS,
        BYTES,
        /// A number that explains the others, and is not compared.
        COUNT
    }

    /// The figure of a run with so many operations.
    double of(double figure, int operations) {
        return unit == Unit.NANOS_PER_OPERATION ? figure / operations : figure;
    }
}
