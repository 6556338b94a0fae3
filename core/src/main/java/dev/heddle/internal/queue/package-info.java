/// The data structures of the scheduler, and nothing but data structures: run queues, steal order, timer heap.
///
/// Each of them can be understood, tested and model-checked alone: nothing here knows a thread, a scheduler or
/// a clock. Capacities and random seeds are constructor arguments, so that a checker can exhaust a queue of 4
/// slots where the scheduler uses 256. Who may call what ("owner only", "any thread") is part of every method's
/// contract.
///
/// - The same entry may be queued several times (note N5): no structure links entries to each other or assumes
/// that
///   one is unique.
/// - Moving entries never allocates (N18): whatever memory a move needs is handed in beforehand.
///
/// This package depends on no other package of Heddle.
@NullMarked
package dev.heddle.internal.queue;

import org.jspecify.annotations.NullMarked;
