/// Races of the queues under the real memory model, by jcstress: one class per racing pair.
///
/// Each class has a nested `Correct`, which must pass, and variants named after what is broken in them, which
/// must fail: [RacesTest] runs both. Two actors and an arbiter at most, so that two cores are enough. What the
/// outcomes of a class do not list is forbidden.
@NullMarked
package dev.heddle.jcstress;

import org.jspecify.annotations.NullMarked;
