package dev.heddle.internal.kernel;

/// A broken invariant of the scheduler, with the state that shows it. Never a mistake of the user.
public final class SchedulerBug extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public SchedulerBug(String message) {
        super(message);
    }
}
