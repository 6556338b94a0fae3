package dev.heddle.trace.analysis;

import java.util.List;

/// A goroutine that was runnable and not running, and why.
///
/// @param goroutine its id, as in [Goroutine#id]
/// @param label     its name for people
/// @param kind      what it has in common with others, as in [Goroutine#kind]
/// @param scheduler its scheduler, by its number
/// @param from      since when it was runnable
/// @param until     when it ran, or when the recording ended
/// @param others    how many of the same kind became runnable in the same millisecond, and waited no longer
/// @param verdict   the main cause, one sentence without a full stop
/// @param facts     what the recording shows of this time, one sentence each
public record RunnableWait(
        long goroutine,
        String label,
        String kind,
        int scheduler,
        long from,
        long until,
        int others,
        String verdict,
        List<String> facts) {

    public RunnableWait {
        facts = List.copyOf(facts);
    }

    public long nanos() {
        return until - from;
    }
}
