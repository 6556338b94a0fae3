package dev.heddle.trace;

/// A remark of the recorder for people: why a snapshot was taken, for example.
///
/// @param time nanoseconds since the recording began
/// @param text one sentence
public record Remark(long time, String text) {}
