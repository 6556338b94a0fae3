package dev.heddle.trace;

import org.jspecify.annotations.Nullable;

/// A processor during a replay: the machine that owns it, and its queues.
public final class Processor {

    private final SchedulerState scheduler;
    private final int id;
    final RunQueue next = new RunQueue(RunQueue.Kind.NEXT, this);
    final RunQueue local = new RunQueue(RunQueue.Kind.LOCAL, this);
    final RunQueue yielded = new RunQueue(RunQueue.Kind.YIELDED, this);

    @Nullable
    Machine machine;

    long since;

    Processor(SchedulerState scheduler, int id) {
        this.scheduler = scheduler;
        this.id = id;
    }

    public SchedulerState scheduler() {
        return scheduler;
    }

    public int id() {
        return id;
    }

    /// The machine that owns it; null: it is idle, or on its way to another machine.
    public @Nullable Machine machine() {
        return machine;
    }

    /// Since when the machine owns it, or since when none does.
    public long since() {
        return since;
    }

    /// The goroutine that it runs; null if there is none.
    public @Nullable Goroutine running() {
        Machine owner = machine;
        return owner == null ? null : owner.goroutine();
    }

    /// How many goroutines wait in its queues.
    public int queued() {
        return next.size() + local.size() + yielded.size();
    }

    @Override
    public String toString() {
        return "P" + id;
    }
}
