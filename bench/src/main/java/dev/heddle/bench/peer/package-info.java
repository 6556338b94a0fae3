/// The inside of a peer written for the JVM: reads a line that names a workload, runs it, answers with a line of
/// figures.
@NullMarked
package dev.heddle.bench.peer;

import org.jspecify.annotations.NullMarked;
