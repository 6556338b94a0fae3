package dev.heddle.internal.queue.broken;

import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.queue.StealRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operations that checkers race against each other: implemented by the real queue and by the broken ones.
public interface RacyQueue {
    /// Queues `entry`, in `runNext` if `next`; false, and nothing done, if there is no room. Owner only.
    boolean put(Runnable entry, boolean next);

    /// Takes `runNext` or the head. Owner only.
    @Nullable
    Runnable get();

    /// Steals half of `victim`, which is of the same class; returns the youngest. Owner only.
    @Nullable
    Runnable stealFrom(RacyQueue victim, boolean includeRunNext);

    /// Whether nothing is queued. Any thread.
    boolean isEmpty();

    /// What left the queue by overflow. Owner only.
    List<Runnable> spilled();

    /// The real queue.
    final class Real implements RacyQueue, LocalRunQueue.Overflow {
        private final LocalRunQueue queue;
        private final List<Runnable> spilled = new ArrayList<>();

        public Real(int capacity) {
            queue = new LocalRunQueue(capacity);
        }

        @Override
        public boolean put(Runnable entry, boolean next) {
            queue.put(entry, next, this);
            return true;
        }

        @Override
        public @Nullable Runnable get() {
            return queue.get();
        }

        @Override
        public @Nullable Runnable stealFrom(RacyQueue victim, boolean includeRunNext) {
            return queue.stealFrom(((Real) victim).queue, StealRule.GO, includeRunNext);
        }

        @Override
        public boolean isEmpty() {
            return queue.isEmpty();
        }

        @Override
        public List<Runnable> spilled() {
            return spilled;
        }

        @Override
        public RunBatch reserve() {
            return new RunBatch(RunBatch.capacityFor(queue.capacity()));
        }

        @Override
        public void release(RunBatch batch) {}

        @Override
        public void accept(RunBatch batch) {
            for (Runnable r = batch.poll(); r != null; r = batch.poll()) {
                spilled.add(r);
            }
        }
    }
}
