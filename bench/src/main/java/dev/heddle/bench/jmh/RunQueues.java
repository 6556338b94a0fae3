package dev.heddle.bench.jmh;

import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.queue.RunBatch;
import java.util.concurrent.atomic.AtomicLong;

/// What the benchmarks share.
final class RunQueues {

    /// An entry that nobody runs.
    static final Runnable ENTRY = () -> {};

    private RunQueues() {}

    /// Takes what spills and forgets it.
    static final class Spill implements LocalRunQueue.Overflow {
        final AtomicLong entries = new AtomicLong();
        private RunBatch chunk = new RunBatch();

        @Override
        public RunBatch reserve() {
            return chunk;
        }

        @Override
        public void release(RunBatch batch) {}

        @Override
        public void accept(RunBatch batch) {
            entries.addAndGet(batch.size());
            chunk = new RunBatch();
        }
    }
}
