package dev.heddle.trace.analysis;

/// What all goroutines of one kind did.
public final class KindTotals {

    private final String kind;
    long goroutines;
    long runs;
    long running;
    long withoutProcessor;
    long runnable;
    long longestRunnable;
    long waiting;

    KindTotals(String kind) {
        this.kind = kind;
    }

    public String kind() {
        return kind;
    }

    /// How many there were.
    public long goroutines() {
        return goroutines;
    }

    public long runs() {
        return runs;
    }

    /// For how long they ran, with a processor, in nanoseconds, all together.
    public long running() {
        return running;
    }

    public long withoutProcessor() {
        return withoutProcessor;
    }

    public long runnable() {
        return runnable;
    }

    /// The longest that one of them was runnable without running.
    public long longestRunnable() {
        return longestRunnable;
    }

    public long waiting() {
        return waiting;
    }
}
