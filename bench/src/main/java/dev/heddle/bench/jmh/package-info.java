/// JMH benchmarks of the queues alone, without a scheduler and with no threads but JMH's.
@NullMarked
package dev.heddle.bench.jmh;

import org.jspecify.annotations.NullMarked;
