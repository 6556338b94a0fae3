package dev.heddle.internal.kernel;

/// Unwinds a goroutine's stack for `Go.goexit()`: finally blocks run, nothing is reported.
///
/// An Error, as ThreadDeath was: nothing went wrong, and a `catch (Exception)` on the way must not stop it.
public final class Goexit extends Error {
    private static final long serialVersionUID = 1L;

    public Goexit() {
        super("Go.goexit() unwinds this goroutine; do not catch it", null, false, false);
    }
}
