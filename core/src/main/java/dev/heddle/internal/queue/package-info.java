/// The data structures of the scheduler, and nothing but data structures: run queues, steal order, timer heap.
///
/// Each of them can be understood, tested and model-checked alone: nothing here depends on a thread, a scheduler or
/// a clock. Capacities are constructor arguments, and random numbers are method arguments, so that a model checker can
/// exhaust a queue of 4 slots where the scheduler uses 256. Every method's contract states which threads may call it
/// ("owner only", "any thread").
///
/// - The same entry may be queued several times (note N5): no run queue links entries to each other or assumes that
///   an entry is unique.
/// - Moving entries between run queues never allocates (N18): the caller provides the memory beforehand.
///
/// This package depends on no other package of Heddle.
@NullMarked
package dev.heddle.internal.queue;

import org.jspecify.annotations.NullMarked;
