package dev.heddle.internal.observe;

/// How long a queue of the program was at one point in time.
///
/// @param id        its class and identity, as `class@hash`
/// @param holder    where the program keeps it: a field, or the lambda that captured it
/// @param size      entries in it; not more than the longest that is counted
/// @param capacity  entries that it takes at most; `Integer.MAX_VALUE` if it has no bound
/// @param cancelled of the entries of a queue of delayed tasks, the share that was cancelled, 0 to 1
public record QueueStats(String id, String holder, long size, long capacity, double cancelled) {}
