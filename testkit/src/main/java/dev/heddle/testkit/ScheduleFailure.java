package dev.heddle.testkit;

import org.jspecify.annotations.Nullable;

/// A schedule of a test failed. The message tells the story of the shortest schedule that fails in the same way, and
/// has a code that repeats it.
public final class ScheduleFailure extends AssertionError {

    private static final long serialVersionUID = 1L;

    private final FailureKind kind;
    private final String replayCode;
    private final int schedule;

    /// Made by [Bubble#check].
    public ScheduleFailure(
            FailureKind kind, int schedule, String replayCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.schedule = schedule;
        this.replayCode = replayCode;
    }

    public FailureKind kind() {
        return kind;
    }

    /// The number of the schedule that failed first, from 1.
    public int schedule() {
        return schedule;
    }

    /// What to give to [HeddleTest#replay], [Options#withReplay] or `-Dheddle.test.replay`.
    public String replayCode() {
        return replayCode;
    }
}
