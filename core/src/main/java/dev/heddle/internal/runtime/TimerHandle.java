package dev.heddle.internal.runtime;

/// A scheduled callback, which runs at its time unless it is cancelled before.
public interface TimerHandle {
    /// Cancels the callback: true if it will not run because of this call. Drops the reference to the callback
    /// at once. Any thread.
    boolean cancel();
}
