/// The data structures of the scheduler, and nothing but data structures.
///
/// Each of them can be understood, tested and model-checked alone: nothing here knows a thread, a scheduler or a clock.
/// Capacities and random seeds are constructor arguments, so that a checker can exhaust a queue of 4 slots
/// where the scheduler uses 256. Who may call what ("owner only", "any thread") is part of every method's contract.
///
/// This package depends on no other package of Heddle.
@NullMarked
package dev.heddle.queue;

import org.jspecify.annotations.NullMarked;
