/// Support for tests of all modules: other modules get it from core's test jar.
@NullMarked
package dev.heddle.testing;

import org.jspecify.annotations.NullMarked;
