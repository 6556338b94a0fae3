/// Reads heap dumps, as far as necessary to find goroutines that nothing can wake.
@NullMarked
package dev.heddle.heap;

import org.jspecify.annotations.NullMarked;
