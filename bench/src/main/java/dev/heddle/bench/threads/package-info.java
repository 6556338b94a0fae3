/// The workloads with plain virtual threads and `java.util.concurrent`, as in a program that does not use Heddle's API.
@NullMarked
package dev.heddle.bench.threads;

import org.jspecify.annotations.NullMarked;
