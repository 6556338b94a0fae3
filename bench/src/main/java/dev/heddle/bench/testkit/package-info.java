/// Benchmarks of the testkit: how many schedules it runs in a second.
@NullMarked
package dev.heddle.bench.testkit;

import org.jspecify.annotations.NullMarked;
