package dev.heddle.stats;

/// What a goroutine or virtual thread was doing at the moment of a snapshot.
/// Go: the states of `runtime/metrics` and of dumps.
public enum GoroutineState {
    /// Ready to run, and waits for a processor.
    RUNNABLE("runnable", 1),
    /// Mounted on a carrier thread, and not known to block it.
    RUNNING("running", 2),
    /// Blocks its carrier thread in a system call or in native code.
    SYSCALL("syscall", 3),
    /// Waits, and blocks its carrier thread because it cannot leave it: below a native frame or a class
    /// initialiser. Go has no such state; its number is that of a system call.
    PINNED("pinned", 3),
    /// Parked, without a carrier thread.
    WAITING("waiting", 4);

    private final String text;
    private final int number;

    GoroutineState(String text, int number) {
        this.text = text;
        this.number = number;
    }

    /// Go's number of this state: _Grunnable and so on.
    public int number() {
        return number;
    }

    /// Whether the carrier thread can run nothing else meanwhile, although it does not compute.
    public boolean blocksCarrier() {
        return this == SYSCALL || this == PINNED;
    }

    @Override
    public String toString() {
        return text;
    }
}
