package dev.heddle.client;

import dev.heddle.stats.GoroutineState;

/// A goroutine or virtual thread, and how long it has been waiting or runnable.
///
/// @param id     its id
/// @param name   its thread's name, mostly empty
/// @param state  what it does
/// @param reason why it waits, or else its state
/// @param nanos  how long it has been so; -1 if that is not known
/// @param exact  whether the time counts from the begin of the wait; otherwise it is a lower bound, from the first
///               sample that showed it
/// @param place  the innermost relevant frame
public record ThreadTime(
        long id, String name, GoroutineState state, String reason, long nanos, boolean exact, String place) {

    /// The time for people. After `>` it is a lower bound; `?` stands for one that is not known, and `-` for a
    /// thread that neither waits nor is runnable.
    public String text() {
        if (state != GoroutineState.WAITING && state != GoroutineState.RUNNABLE) {
            return "-";
        }
        if (nanos < 0 || (nanos == 0 && !exact)) {
            return "?";
        }
        return (exact ? "" : "> ") + TopView.time(nanos);
    }
}
