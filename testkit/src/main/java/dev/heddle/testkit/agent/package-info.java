/// The entry class of the testkit's Java agent.
@NullMarked
package dev.heddle.testkit.agent;

import org.jspecify.annotations.NullMarked;
