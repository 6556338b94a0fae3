package dev.heddle.stats;

/// What a goroutine or virtual thread does at the moment. Go: the states of `runtime/metrics` and of dumps.
public enum GoroutineState {
    /// Has what it needs but a processor.
    RUNNABLE("runnable", 1),
    /// Runs, or is mounted and thinks so.
    RUNNING("running", 2),
    /// Blocks its carrier thread: in a declared blocking operation, or waiting while pinned.
    SYSCALL("syscall", 3),
    /// Parked.
    WAITING("waiting", 4);

    private final String text;
    private final int number;

    GoroutineState(String text, int number) {
        this.text = text;
        this.number = number;
    }

    /// Go's number of it: _Grunnable and so on.
    public int number() {
        return number;
    }

    @Override
    public String toString() {
        return text;
    }
}
