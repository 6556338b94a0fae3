/// What a recording tells as a whole: totals, latencies, the longest waits for a processor and their causes.
@NullMarked
package dev.heddle.trace.analysis;

import org.jspecify.annotations.NullMarked;
