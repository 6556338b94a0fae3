/// What the testkit changes in classes: reads of the clock, points, and the JDK's ways out of a bubble.
@NullMarked
package dev.heddle.testkit.internal.weave;

import org.jspecify.annotations.NullMarked;
