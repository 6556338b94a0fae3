package dev.heddle.internal.event;

/// Unwinds a goroutine's stack for `Go.goexit()`: finally blocks run, nothing is reported.
///
/// An Error, as ThreadDeath was, so that a `catch (Exception)` does not stop it. It does not mean that anything failed.
public final class Goexit extends Error {
    private static final long serialVersionUID = 1L;

    public Goexit() {
        super("Go.goexit() unwinds this goroutine; do not catch it", null, false, false);
    }
}
