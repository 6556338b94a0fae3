package dev.heddle.internal.observe;

/// The answer to a command that asks for a trace.
///
/// @param file    where it is, as this JVM sees it; deleted when the command disconnects
/// @param dropped events that are missing, because memory was short
public record TraceAnswer(String file, long dropped) {}
