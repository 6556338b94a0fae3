/// The drop-in way: one agent line puts every virtual thread of a JVM on Heddle.
///
/// [dev.heddle.agent.HeddleAgent] is loaded by any JDK, [dev.heddle.agent.Installer] opens what is needed, and only
/// then [dev.heddle.agent.Installation] may refer to the kernel, whose classes extend JDK-internal ones.
@NullMarked
package dev.heddle.agent;

import org.jspecify.annotations.NullMarked;
