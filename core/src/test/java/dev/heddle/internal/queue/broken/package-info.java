/// Queues that are wrong on purpose, each in one step, and the scenarios in which every checker must find that out.
///
/// A checker that has never failed proves nothing: LocalRunQueueStressTest, LocalRunQueueLincheckTest and the
/// jcstress module each run the right queue and these, and demand a failure for these. Test sources only.
@NullMarked
package dev.heddle.internal.queue.broken;

import org.jspecify.annotations.NullMarked;
