package dev.heddle.trace;

/// A virtual thread that was there while the recording was made, whether or not it did anything.
///
/// @param scheduler the scheduler, by its number
/// @param time      when it was listed
/// @param id        the thread
/// @param name      its name; may be empty
/// @param body      the class of its body; may be empty
/// @param state     as in `heddle dump`
public record ListedThread(int scheduler, long time, long id, String name, String body, String state) {}
