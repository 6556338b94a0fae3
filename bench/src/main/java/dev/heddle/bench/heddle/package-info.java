/// The workloads with Heddle's goroutines, channels, selects and wait groups.
@NullMarked
package dev.heddle.bench.heddle;

import org.jspecify.annotations.NullMarked;
