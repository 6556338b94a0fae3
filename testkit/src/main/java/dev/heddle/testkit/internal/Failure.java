package dev.heddle.testkit.internal;

import dev.heddle.testkit.FailureKind;
import org.jspecify.annotations.Nullable;

/// Why a schedule failed.
///
/// @param sentence what happened, without a full stop
/// @param thread   the number of the thread that failed, or -1
record Failure(FailureKind kind, String sentence, @Nullable Throwable cause, int thread) {

    /// Whether another schedule failed in the same way.
    boolean isLike(@Nullable Failure other) {
        return other != null && kind == other.kind && causeClass().equals(other.causeClass());
    }

    private String causeClass() {
        return cause == null ? "" : cause.getClass().getName();
    }
}
