/// What the agent does at the start of a JVM.
///
/// [dev.heddle.internal.agent.AgentStart] opens the packages of the JDK that are needed. Only then may
/// [dev.heddle.internal.agent.Installation] refer to the kernel, whose classes extend JDK-internal ones.
@NullMarked
package dev.heddle.internal.agent;

import org.jspecify.annotations.NullMarked;
