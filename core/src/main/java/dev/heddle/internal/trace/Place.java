package dev.heddle.internal.trace;

/// Where a goroutine that became runnable was put. Stored by its ordinal.
public enum Place {
    /// In runNext of the writer's processor; the goroutine that was there moves to the tail of the queue.
    NEXT,
    /// At the tail of the run queue of the writer's processor.
    TAIL,
    /// At the tail of the global queue.
    GLOBAL,
    /// At the tail of the global queue, perhaps once more: nothing changes for a goroutine that is runnable already.
    /// So the entries come that a stack overflow or a lack of memory had held up.
    GLOBAL_AGAIN
}
