package dev.heddle.testkit;

/// What went wrong in a schedule.
public enum FailureKind {
    /// The test threw an exception, or an assertion of it failed.
    TEST("the test failed"),
    /// A thread ended with an exception that it did not catch.
    THREAD("a thread failed"),
    /// The test waits, and nothing can wake it.
    DEADLOCK("deadlock"),
    /// The test has ended, and some of its threads have not.
    LEAK("thread leak"),
    /// The test took more steps than allowed.
    LIVELOCK("no end"),
    /// The test left its bubble, or something from outside came in.
    ESCAPE("left the bubble"),
    /// The same schedule did not do the same again.
    NOT_REPRODUCIBLE("not reproducible");

    private final String title;

    FailureKind(String title) {
        this.title = title;
    }

    /// The kind, in words.
    public String title() {
        return title;
    }
}
