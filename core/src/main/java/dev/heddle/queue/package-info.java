/// Pure data structures of the scheduler: run queues, steal order, timer heap.
///
/// Nothing here knows goroutines, threads or processors: an entry is a [Runnable], and who may call what is said at
/// each method (`Owner only.`, `Any thread.`, `Holds the scheduler lock.`). Two rules hold throughout:
///
/// - The same entry may be queued several times (protocol note N5): no structure links entries to each other or
///   assumes that one is unique.
/// - Moving entries never allocates (N18): whatever memory a move needs is handed in beforehand.
@NullMarked
package dev.heddle.queue;

import org.jspecify.annotations.NullMarked;
