package dev.heddle.internal.observe;

/// The values of one thread-local in many threads.
///
/// @param holder  the static field that has the thread-local, or its class if there is none
/// @param type    the class of the values
/// @param threads the threads that were looked at and have a value
/// @param bytes   the estimated size of these values, together
/// @param live    live threads, of which at most a limited number was looked at
/// @param looked  the number that was looked at
public record ThreadLocalStats(String holder, String type, int threads, long bytes, long live, int looked) {}
