package dev.heddle.event;

/// What a goroutine or virtual thread does at the moment. Go: the states of `runtime/metrics` and of dumps.
public enum GoroutineState {
    /// Has what it needs but a processor.
    RUNNABLE("runnable"),
    /// Runs, or is mounted and thinks so.
    RUNNING("running"),
    /// Blocks its carrier thread: in a declared blocking operation, or waiting while pinned.
    SYSCALL("syscall"),
    /// Parked.
    WAITING("waiting");

    private final String text;

    GoroutineState(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
