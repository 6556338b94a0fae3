package dev.heddle.internal.queue;

import java.util.ArrayList;
import java.util.List;

/// An overflow that remembers what was spilled, and checks that chunks are reserved and used in pairs.
class SpillCollector implements LocalRunQueue.Overflow {
    final List<List<Runnable>> spills = new ArrayList<>();
    int reserved;
    int released;
    boolean isMemoryExhausted;
    Runnable onReserve = () -> {};
    private final int chunkCapacity;

    SpillCollector(int localCapacity) {
        chunkCapacity = RunBatch.capacityFor(localCapacity);
    }

    @Override
    public RunBatch reserve() {
        if (isMemoryExhausted) {
            throw new OutOfMemoryError("no chunk, says the test");
        }
        reserved++;
        onReserve.run();
        return new RunBatch(chunkCapacity);
    }

    @Override
    public void release(RunBatch batch) {
        if (!batch.isEmpty()) {
            throw new AssertionError("released a chunk with " + batch.size() + " entries");
        }
        released++;
    }

    @Override
    public void accept(RunBatch batch) {
        spills.add(drain(batch));
    }

    List<Runnable> all() {
        return spills.stream().flatMap(List::stream).toList();
    }

    static List<Runnable> drain(RunBatch batch) {
        var entries = new ArrayList<Runnable>();
        for (Runnable r = batch.poll(); r != null; r = batch.poll()) {
            entries.add(r);
        }
        return entries;
    }
}
