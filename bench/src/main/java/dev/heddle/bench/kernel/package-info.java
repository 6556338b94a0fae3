/// What stealing costs: Heddle's scheduler beside itself, with other settings.
@NullMarked
package dev.heddle.bench.kernel;

import org.jspecify.annotations.NullMarked;
