/// Heddle's metrics for Micrometer, and so for whatever it exports to.
@NullMarked
package dev.heddle.micrometer;

import org.jspecify.annotations.NullMarked;
