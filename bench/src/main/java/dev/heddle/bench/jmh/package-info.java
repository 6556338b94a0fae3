/// JMH benchmarks of the queues alone: no scheduler, no threads but JMH's.
@NullMarked
package dev.heddle.bench.jmh;

import org.jspecify.annotations.NullMarked;
