package dev.heddle.kernel;

import dev.heddle.queue.GlobalRunQueue;
import dev.heddle.queue.LocalRunQueue;
import dev.heddle.queue.RunBatch;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// The global run queue and the scheduler lock that guards it. Go: sched.runq.
///
/// Appending is all or nothing: memory is had before anything changes, and never under the lock (N18).
final class SharedQueue {

    /// The most that one look moves to a local queue: half of that queue.
    private static final int BATCH = LocalRunQueue.CAPACITY / 2;

    private final KernelLock lock;
    private final GlobalRunQueue queue = new GlobalRunQueue();

    SharedQueue(KernelLock lock) {
        this.lock = lock;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }

    /// Appends one entry and keeps the lock. Go: globrunqput.
    void lockAndPut(Runnable entry) {
        lockWithRoom();
        queue.putTail(entry);
    }

    /// Locks, with room for one more entry.
    private void lockWithRoom() {
        lock.lock();
        while (queue.needsChunk()) {
            lock.unlock();
            RunBatch chunk = new RunBatch();
            lock.lock();
            queue.recycle(chunk);
        }
    }

    /// An empty chunk, for a spill to come.
    RunBatch newChunk() {
        lock.lock();
        RunBatch chunk = queue.takeChunk();
        lock.unlock();
        return chunk != null ? chunk : new RunBatch();
    }

    /// Appends a spilled half of a local queue; returns a chunk for the next spill if one is at hand.
    @Nullable
    RunBatch putBatch(RunBatch batch) {
        lock.lock();
        queue.putTailBatch(batch);
        RunBatch chunk = queue.takeChunk();
        lock.unlock();
        return chunk;
    }

    /// Puts what a destroyed processor had in front of everything else. `chunks` has enough to put it into.
    void putHead(LocalRunQueue from, Queue<RunBatch> chunks) {
        RunBatch last = null; // those behind it are linked by next
        while (!from.isEmpty()) {
            RunBatch chunk = chunks.remove();
            int _ = from.drainInto(chunk);
            chunk.next = last;
            last = chunk;
        }
        lock.lock();
        while (last != null) {
            RunBatch before = last.next;
            queue.putHead(last);
            last = before;
        }
        lock.unlock();
    }

    /// Moves everything of a local queue to the tail, in the order in which it would have run. Owner of that queue.
    ///
    /// Under the lock, as in [#refill]; chunk by chunk, so that lack of memory leaves the rest where it was.
    void takeOver(LocalRunQueue from) {
        while (!from.isEmpty()) {
            lock.lock();
            RunBatch chunk = queue.takeChunk();
            if (chunk == null) {
                lock.unlock();
                chunk = new RunBatch();
                lock.lock();
            }
            int _ = from.drainInto(chunk);
            queue.putTailBatch(chunk);
            lock.unlock();
        }
    }

    /// [#takeOver], as far as memory allows.
    void tryTakeOver(LocalRunQueue from) {
        try {
            takeOver(from);
        } catch (OutOfMemoryError _) {
            // the rest stays where it is
        }
    }

    /// Moves runNext of a processor to the tail if it is still `entry`, and if memory allows. Owner of that
    /// processor.
    boolean moveNext(Processor processor, Runnable entry) {
        try {
            takeOver(processor.yielded); // they were first
            lockWithRoom();
        } catch (OutOfMemoryError _) {
            return false; // it runs a little longer
        }
        boolean taken = processor.runQueue.takeNextIf(entry);
        if (taken) {
            queue.putTail(entry);
        }
        lock.unlock();
        return taken;
    }

    /// One entry. Go: globrunqget.
    @Nullable
    Runnable take() {
        lock.lock();
        Runnable entry = queue.get();
        lock.unlock();
        return entry;
    }

    /// One entry, if it is a fresh goroutine.
    @Nullable
    Goroutine takeFresh() {
        lock.lock();
        Goroutine fresh = null;
        if (queue.peek() instanceof Goroutine head) {
            queue.get();
            fresh = head;
        }
        lock.unlock();
        return fresh;
    }

    /// What a processor may take before those who yielded there have their turn.
    int share(int procs) {
        return Math.ceilDiv(queue.size(), procs);
    }

    /// One entry, and a fair share of the others to the processor's empty local queue, with those who yielded
    /// there at the end; null if the global queue is empty. Go: globrunqgetbatch. Owner only.
    @Nullable
    Runnable takeBatch(Processor processor, int procs) {
        if (queue.isEmpty()) {
            return null;
        }
        RunBatch batch = processor.transfer;
        lock.lock();
        if (processor.globalTurns == 0 && processor.yielded.drainInto(batch) > 0) {
            processor.globalTurns = share(procs);
        } else {
            int most = processor.yielded.isEmpty() ? BATCH : Math.min(BATCH, processor.globalTurns);
            int moved = queue.getBatch(procs, most, batch);
            processor.globalTurns = queue.isEmpty() ? 0 : Math.max(0, processor.globalTurns - moved);
            if (processor.globalTurns == 0) {
                int _ = processor.yielded.drainInto(batch);
            }
        }
        Runnable first = batch.poll();
        if (!batch.isEmpty()) {
            processor.runQueue.putBatch(batch); // under the lock: see refill
        }
        lock.unlock();
        return first;
    }

    /// Moves a fair share to the processor's empty local queue; returns how many. Go: globrunqgetbatch,
    /// runqputbatch. Owner only.
    ///
    /// All of it under the lock, unlike Go: a machine that is about to sleep looks at this queue under the lock
    /// and at the local ones afterwards, and must not miss what is on its way from here to there.
    int refill(Processor processor, int procs) {
        if (queue.isEmpty()) {
            return 0;
        }
        lock.lock();
        int moved = queue.getBatch(procs, BATCH, processor.transfer);
        processor.runQueue.putBatch(processor.transfer);
        lock.unlock();
        return moved;
    }
}
