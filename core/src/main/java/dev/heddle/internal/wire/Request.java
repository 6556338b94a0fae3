package dev.heddle.internal.wire;

import org.jspecify.annotations.Nullable;

/// What a command asks a JVM: one line of JSON. A question uses the components that it needs.
///
/// @param heddle    the version of the protocol
/// @param id        repeated in every line of the answer
/// @param ask       the question
/// @param scheduler which scheduler it is about
/// @param limit     the maximum number of goroutines
/// @param frames    the maximum number of frames of each
/// @param millis    how long to record
/// @param settings  the debug settings to change
/// @param found     a cause that the command found
public record Request(
        int heddle,
        long id,
        @Nullable String ask,
        @Nullable String scheduler,
        int limit,
        int frames,
        long millis,
        @Nullable String settings,
        @Nullable FoundCause found) {

    /// The version that this code speaks. It changes only if an old reader would misunderstand a new writer:
    /// [Decoder] copes with added and missing components.
    public static final int PROTOCOL = 1;

    /// The longest request that a JVM reads, in bytes.
    public static final int MAX_BYTES = 64 << 10;

    /// The longest line of an answer that a command reads, in bytes.
    public static final int MAX_ANSWER_BYTES = 64 << 20;

    public static final String HELLO = "hello";
    public static final String NAMES = "names";
    public static final String SNAPSHOTS = "snapshots";
    public static final String SNAPSHOT = "snapshot";
    public static final String GOROUTINES = "goroutines";
    public static final String JVM = "jvm";
    public static final String DEBUG = "debug";
    public static final String RECORD = "record";
    public static final String HEAP = "heap";
    public static final String FOUND = "found";
    public static final String TRACE = "trace";

    /// A setting of [#TRACE]: not a new recording, but what the flight recorder has. The other one is how often a stack
    /// is taken: `every:10`.
    public static final String FLIGHT = "flight";

    /// A question without parameters.
    public static Request of(String ask) {
        return new Request(PROTOCOL, 0, ask, null, 0, 0, 0, null, null);
    }

    public Request withId(long number) {
        return new Request(heddle, number, ask, scheduler, limit, frames, millis, settings, found);
    }

    public Request withScheduler(String name) {
        return new Request(heddle, id, ask, name, limit, frames, millis, settings, found);
    }

    public Request withLimits(int goroutines, int stack) {
        return new Request(heddle, id, ask, scheduler, goroutines, stack, millis, settings, found);
    }

    public Request withMillis(long duration) {
        return new Request(heddle, id, ask, scheduler, limit, frames, duration, settings, found);
    }

    public Request withSettings(String text) {
        return new Request(heddle, id, ask, scheduler, limit, frames, millis, text, found);
    }

    public Request withFound(FoundCause cause) {
        return new Request(heddle, id, ask, scheduler, limit, frames, millis, settings, cause);
    }
}
