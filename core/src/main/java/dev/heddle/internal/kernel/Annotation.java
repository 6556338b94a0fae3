package dev.heddle.internal.kernel;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.Recording;
import dev.heddle.internal.trace.TraceBuffer;

/// An event that the program adds to a recording: a task, a region, a log entry.
///
/// @param kind one of the kinds of user annotations
/// @param a    its first number
/// @param b    its second number
/// @param c    its third number
/// @param text its text, if its kind has one
record Annotation(EventKind kind, long a, long b, long c, String text) {

    /// On the machine that writes to that buffer.
    void writeTo(TraceBuffer trace) {
        if (hasText()) {
            trace.note(kind, a, b, c, text);
        } else {
            trace.note(kind, a, b, c, 0);
        }
    }

    /// On a thread that is no machine.
    void writeTo(Recording recording) {
        if (hasText()) {
            recording.foreign().note(kind, -1, a, b, c, text);
        } else {
            recording.foreign().note(kind, -1, a, b, c, 0);
        }
    }

    private boolean hasText() {
        return kind.fields().getLast() == Field.TEXT;
    }
}
