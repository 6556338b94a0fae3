package dev.heddle.internal.trace;

/// Where a machine found the entry that it runs. Stored by its ordinal.
public enum Source {
    /// runNext of its processor: the entry continues the slice.
    NEXT,
    /// The head of its processor's run queue.
    QUEUE,
    /// The global queue: one entry, or the first of a batch whose rest went to the run queue (GLOBAL_TAKE).
    GLOBAL,
    /// The threads that yielded on its processor.
    YIELDED,
    /// Another processor, or what the timers that it fired there made runnable (STEAL, TIMERS).
    STOLEN,
    /// The goroutines for which there had been no memory for a thread.
    STALLED,
    /// Another machine brought it, because the thread is locked to this one (LOCKED_DELIVER).
    MAIL
}
