/// The workloads with plain virtual threads and `java.util.concurrent`, as a program that knows nothing of Heddle has
/// them.
@NullMarked
package dev.heddle.bench.threads;

import org.jspecify.annotations.NullMarked;
