package dev.heddle.testkit.internal;

/// Thrown where a test leaves its bubble without permission.
final class EscapeError extends AssertionError {

    private static final long serialVersionUID = 1L;

    EscapeError(String sentence) {
        super(sentence);
    }
}
