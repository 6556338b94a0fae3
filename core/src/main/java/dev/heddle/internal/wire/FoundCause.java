package dev.heddle.internal.wire;

/// A cause that a command found, for the JVM in which it found it.
///
/// @param cause    its key, such as `slow-lock`
/// @param title    what is wrong, in one sentence
/// @param evidence what supports it
/// @param remedy   what to do
public record FoundCause(String cause, String title, String evidence, String remedy) {

    /// The longest text: a request is bounded.
    private static final int LONGEST = 8_000;

    public FoundCause {
        evidence = evidence.length() > LONGEST ? evidence.substring(0, LONGEST) : evidence;
        remedy = remedy.length() > LONGEST ? remedy.substring(0, LONGEST) : remedy;
    }
}
