/// Puts calls into the loops of class files. What the calls do is not decided here.
@NullMarked
package dev.heddle.internal.weave;

import org.jspecify.annotations.NullMarked;
