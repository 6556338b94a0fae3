package dev.heddle.kernel;

/// Unwinds a goroutine's stack for `Go.goexit()`: finally blocks run, nothing is reported.
public final class GoexitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GoexitException() {
        super("Go.goexit() unwinds this goroutine; do not catch it", null, false, false);
    }
}
