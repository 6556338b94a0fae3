package dev.heddle.internal.kernel;

import dev.heddle.internal.procs.NumaOrder;
import dev.heddle.internal.queue.StealOrder;
import org.jspecify.annotations.Nullable;

/// The live processors and the orders in which a thief visits them: immutable, replaced as a whole when the number of
/// processors changes. Go: allp, stealOrder.
///
/// @param yielded the yielded threads of each processor: a thief that checks them need not read the processor itself,
///        whose cache lines the owner writes at every switch
/// @param numa the order that prefers victims on the thief's own NUMA node; null if all are on one node
record ProcessorSet(
        Processor[] all,
        Yielded[] yielded,
        StealOrder order,
        @Nullable NumaOrder numa) {

    ProcessorSet(Processor[] all, StealOrder order, @Nullable NumaOrder numa) {
        this(all, yieldedOf(all), order, numa);
    }

    private static Yielded[] yieldedOf(Processor[] all) {
        Yielded[] yielded = new Yielded[all.length];
        for (int i = 0; i < all.length; i++) {
            yielded[i] = all[i].yielded;
        }
        return yielded;
    }

    int count() {
        return all.length;
    }
}
