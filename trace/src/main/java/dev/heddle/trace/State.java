package dev.heddle.trace;

/// What a goroutine is doing.
public enum State {
    /// It could run, and waits for a processor.
    RUNNABLE("runnable"),
    /// A machine with a processor runs it.
    RUNNING("running"),
    /// A machine without a processor has it: it computes as a hog, or is blocked in a call.
    WITHOUT_PROCESSOR("without a processor"),
    /// It waits for something else.
    WAITING("waiting"),
    /// It has ended.
    ENDED("ended");

    private final String text;

    State(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
