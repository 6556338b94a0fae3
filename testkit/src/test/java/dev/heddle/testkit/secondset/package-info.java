/// Six programs with a bug of a published kind, by an author without knowledge of the testkit's strategies.
@NullMarked
package dev.heddle.testkit.secondset;

import org.jspecify.annotations.NullMarked;
