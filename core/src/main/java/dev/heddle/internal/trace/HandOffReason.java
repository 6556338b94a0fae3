package dev.heddle.internal.trace;

/// Why the system monitor took a processor and hands it off. Stored by its ordinal.
public enum HandOffReason {
    /// The thread declared a blocking operation that lasts.
    DECLARED,
    /// The thread was found blocked.
    ASLEEP,
    /// The thread computes for too long.
    HOG
}
