/// Benchmarks of Heddle's scheduler against itself: the cost of stealing, of a cold cache, and of observation.
@NullMarked
package dev.heddle.bench.kernel;

import org.jspecify.annotations.NullMarked;
