/// The side of a peer on the JVM: reads a line that names a workload, runs it, and answers with a line of figures.
@NullMarked
package dev.heddle.bench.peer;

import org.jspecify.annotations.NullMarked;
