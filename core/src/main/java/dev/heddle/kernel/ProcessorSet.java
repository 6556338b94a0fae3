package dev.heddle.kernel;

import dev.heddle.queue.StealOrder;

/// The live processors and the orders in which a thief visits them: immutable, replaced as a whole when the number
/// of processors changes. Go: allp[:gomaxprocs] with stealOrder.
record ProcessorSet(Processor[] all, StealOrder order) {
    int count() {
        return all.length;
    }
}
