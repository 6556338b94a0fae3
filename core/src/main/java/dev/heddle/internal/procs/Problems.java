package dev.heddle.internal.procs;

import org.jspecify.annotations.Nullable;

/// What went wrong while reading, as sentences on one line. One thread.
final class Problems {
    private @Nullable String text;

    void add(Exception problem) {
        String message = problem.getMessage();
        add(message == null ? problem.toString() : message);
    }

    void add(String sentence) {
        text = text == null ? sentence : text + "; " + sentence;
    }

    /// All of them, joined by `; `, or null if there were none.
    @Nullable
    String text() {
        return text;
    }
}
