/// The drop-in way: one agent line puts every virtual thread of a JVM on Heddle.
///
/// [dev.heddle.agent.HeddleAgent] is loaded by any JDK and calls `dev.heddle.internal.agent`.
@NullMarked
package dev.heddle.agent;

import org.jspecify.annotations.NullMarked;
