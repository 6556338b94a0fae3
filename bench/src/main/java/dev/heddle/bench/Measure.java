package dev.heddle.bench;

/// A figure of a workload. Less is better.
///
/// @param key its name in the answers of the peers
/// @param label added to the workload's title if the workload has several measures
/// @param unit its unit
record Measure(String key, String label, Unit unit) {

    /// The measure of most workloads: wall-clock time for one operation.
    static final Measure TIME = new Measure("wall", "", Unit.NANOS_PER_OPERATION);

    /// Reported by every run as well: CPU time of the whole process, including compiler and collector.
    static final Measure CPU = new Measure("cpu", "CPU", Unit.NANOS_PER_OPERATION);

    static final Measure P50 = new Measure("p50", "median", Unit.NANOS);
    static final Measure P99 = new Measure("p99", "99 of 100 are below", Unit.NANOS);

    enum Unit {
        /// Divided by the number of operations of the run.
        NANOS_PER_OPERATION,
        NANOS,
        BYTES,
        /// A number that explains the others and is not compared.
        COUNT
    }

    /// The figure of a run with this number of operations.
    double of(double figure, int operations) {
        return unit == Unit.NANOS_PER_OPERATION ? figure / operations : figure;
    }
}
