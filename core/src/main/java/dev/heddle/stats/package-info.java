/// Statistics of schedulers, processors, machines and goroutines: records that any program may read.
///
/// They are snapshots. Their counters are read without stopping the scheduler, so two figures of one record may come
/// from slightly different moments. This package depends on no other package of Heddle.
@NullMarked
package dev.heddle.stats;

import org.jspecify.annotations.NullMarked;
