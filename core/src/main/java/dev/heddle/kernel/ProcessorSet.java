package dev.heddle.kernel;

import dev.heddle.procs.NumaOrder;
import dev.heddle.queue.StealOrder;
import org.jspecify.annotations.Nullable;

/// The live processors and the orders in which a thief visits them: immutable, replaced as a whole when the
/// number of processors changes. Go: allp[:gomaxprocs] with stealOrder.
///
/// @param numa the order that prefers victims on the thief's own node; null where all are on one
record ProcessorSet(
        Processor[] all, StealOrder order, @Nullable NumaOrder numa) {
    int count() {
        return all.length;
    }
}
