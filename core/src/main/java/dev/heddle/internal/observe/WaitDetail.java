package dev.heddle.internal.observe;

import org.jspecify.annotations.Nullable;

/// What a dump's entry does not say about the wait of a thread.
///
/// @param thread         the thread's id
/// @param timeoutNanos   for how long it means to wait at most; -1 if without a limit
/// @param waitId         the number of its wait at a transfer queue: the next one has another number; 0 if it is
/// elsewhere
/// @param peer           the address from which it waits to read, as `address:port`; null if it does not
/// @param sentMillis     milliseconds since data was sent to that peer; -1 if unknown
/// @param receivedMillis milliseconds since data came from that peer, `Integer.MAX_VALUE` if none ever did; -1 if
/// unknown
public record WaitDetail(
        long thread,
        long timeoutNanos,
        int waitId,
        @Nullable String peer,
        int sentMillis,
        int receivedMillis) {

    /// How long the thread has waited for an answer of its peer; -1 if that is unknown, or if data came in
    /// after the last data went out.
    public int millisWithoutAnswer() {
        return sentMillis >= 0 && sentMillis < receivedMillis ? sentMillis : -1;
    }
}
