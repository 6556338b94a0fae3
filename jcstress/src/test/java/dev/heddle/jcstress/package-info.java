/// Races of queues, timers, channels and groups under the real memory model, tested by jcstress: one class per racing
/// pair.
///
/// Each class has a nested `Correct`, which must pass. Its variants are named after what is broken in them, and must
/// fail: [RacesTest] runs both. A race has at most two actors and an arbiter, so that two cores are enough. Outcomes
/// that a class does not list are forbidden.
@NullMarked
package dev.heddle.jcstress;

import org.jspecify.annotations.NullMarked;
