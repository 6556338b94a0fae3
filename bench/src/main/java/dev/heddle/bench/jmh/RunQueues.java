package dev.heddle.bench.jmh;

import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.queue.RunBatch;
import java.util.concurrent.atomic.AtomicLong;

/// Shared by the benchmarks.
final class RunQueues {

    /// An entry that is never run.
    static final Runnable ENTRY = () -> {};

    private RunQueues() {}

    /// Discards the entries that spill.
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
