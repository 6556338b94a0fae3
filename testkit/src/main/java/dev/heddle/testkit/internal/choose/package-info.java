/// The strategies: each chooses which thread runs next.
@NullMarked
package dev.heddle.testkit.internal.choose;

import org.jspecify.annotations.NullMarked;
