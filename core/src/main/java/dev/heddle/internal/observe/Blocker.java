package dev.heddle.internal.observe;

import java.util.List;

/// A synchronizer of `java.util.concurrent` that threads waited for at the moment of a dump.
///
/// @param id    its name in [dev.heddle.stats.GoroutineStats#blocker]
/// @param type  the class of the API that it belongs to, such as `java.util.concurrent.Semaphore`
/// @param value what it counts: free permits of a semaphore, the count of a latch, the readers of a read-write lock;
///              for a condition a number of its lock, the same for all conditions of that lock
/// @param owner the thread that held it at the very moment at which its stack was taken for the dump; 0 if no thread
///              is known for certain
/// @param line  the threads that wait for it, as far as a dump goes
public record Blocker(String id, String type, long value, long owner, List<Place> line) {

    /// A thread in the line.
    ///
    /// @param thread its [Thread#threadId]
    /// @param number the number of this wait: if the thread waits again, the number is another one
    public record Place(long thread, int number) {}

    public Blocker {
        line = List.copyOf(line);
    }
}
