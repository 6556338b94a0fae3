package dev.heddle.trace;

import org.jspecify.annotations.Nullable;

/// A machine during a replay: its processor, and the goroutine that it runs.
public final class Machine {

    private final SchedulerState scheduler;
    private final int id;

    @Nullable
    Processor processor;

    @Nullable
    Goroutine goroutine;

    /// An entry was started that cannot have run: GO_VOID must follow, or the end that another machine reports too.
    @Nullable
    Ghost ghost;

    /// Another machine has reported the end of the goroutine that ran here.
    boolean mayReportEnd;

    /// Goroutines that are locked to it, brought by other machines.
    final RunQueue mail = new RunQueue(RunQueue.Kind.MAIL, null);

    /// The number of the stack of the goroutine that parks next.
    long stack;

    boolean isSpinning;
    boolean isParked;
    boolean isBlocking;

    /// The last cause for which its processor was handed off while a goroutine ran on it.
    String handOff = "";

    /// @param goroutine null: one that has ended
    /// @param event     the start, for the message
    record Ghost(@Nullable Goroutine goroutine, String event) {}

    Machine(SchedulerState scheduler, int id) {
        this.scheduler = scheduler;
        this.id = id;
    }

    public SchedulerState scheduler() {
        return scheduler;
    }

    public int id() {
        return id;
    }

    /// The processor that it owns; null if it has none.
    public @Nullable Processor processor() {
        return processor;
    }

    /// The goroutine that runs on it; null if there is none.
    public @Nullable Goroutine goroutine() {
        return goroutine;
    }

    /// Whether it searches for work.
    public boolean isSpinning() {
        return isSpinning;
    }

    /// Whether it sleeps until it is given a processor.
    public boolean isParked() {
        return isParked;
    }

    /// Whether its goroutine is in an operation that the JDK declares to block.
    public boolean isBlocking() {
        return isBlocking;
    }

    /// Why its processor was handed off last, for people; empty if it was not.
    public String handOff() {
        return handOff;
    }

    @Override
    public String toString() {
        return "M" + id;
    }
}
