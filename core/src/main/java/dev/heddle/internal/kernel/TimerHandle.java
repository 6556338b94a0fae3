package dev.heddle.internal.kernel;

/// A callback that will run at its time, unless it is cancelled before.
public interface TimerHandle {
    /// Takes the callback back: true if it will not run because of this call. Frees what it refers to at once.
    /// Any thread.
    boolean cancel();
}
