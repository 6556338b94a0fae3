package dev.heddle.internal.kernel;

import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.queue.RunBatchQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// The global run queue and the scheduler lock that guards it. Go: sched.runq.
///
/// Appending is all or nothing: it allocates before mutating any state, and never under the lock (N18).
final class GlobalRunQueue {

    /// The most entries that one transfer moves to a local queue: half of that queue's capacity.
    static final int BATCH = LocalRunQueue.CAPACITY / 2;

    private final SchedulerLock lock;
    private final RunBatchQueue queue = new RunBatchQueue();

    GlobalRunQueue(SchedulerLock lock) {
        this.lock = lock;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }

    /// Makes room for one more entry, with `chunk` if it is not null. False if there still is no room. Holds the
    /// lock.
    boolean makeRoomLocked(@Nullable RunBatch chunk) {
        if (chunk != null) {
            queue.recycle(chunk);
        }
        return !queue.needsChunk();
    }

    /// Appends one entry. The caller has made sure that there is room. Holds the lock.
    /// Go: globrunqput.
    void putLocked(Runnable entry) {
        queue.putTail(entry);
    }

    /// An empty chunk for a future spill: a recycled one or a new one.
    RunBatch newChunk() {
        RunBatch chunk;
        lock.lock();
        try {
            chunk = queue.takeChunk();
        } finally {
            lock.held = 0;
        }
        return chunk != null ? chunk : new RunBatch();
    }

    /// Appends a spilled half of a local queue; returns a recycled chunk for the next spill if there is one.
    @Nullable
    RunBatch putBatch(RunBatch batch) {
        lock.lock();
        try {
            queue.putTailBatch(batch);
            return queue.takeChunk();
        } finally {
            lock.held = 0;
        }
    }

    /// Puts the entries of a destroyed processor's queue in front of all others. `chunks` holds enough chunks for
    /// them.
    void putHead(LocalRunQueue from, Queue<RunBatch> chunks) {
        RunBatch last = null; // linked by next to the chunks filled before it
        while (!from.isEmpty()) {
            RunBatch chunk = chunks.remove();
            int _ = from.drainInto(chunk);
            chunk.next = last;
            last = chunk;
        }
        lock.lock();
        try {
            while (last != null) {
                RunBatch before = last.next;
                queue.putHead(last);
                last = before;
            }
        } finally {
            lock.held = 0;
        }
    }

    /// Moves all entries of a local queue to the tail, in the order in which they would have run. Owner of that
    /// queue.
    ///
    /// Moves them under the lock, as in [#refill], and chunk by chunk: on OutOfMemoryError the other entries
    /// stay where they are.
    void takeOver(LocalRunQueue from) {
        RunBatch fresh = null;
        while (!from.isEmpty()) {
            fresh = moveChunk(from, fresh) ? null : new RunBatch();
        }
    }

    /// Moves as many entries as fit into one chunk: `fresh`, or a recycled one. False if there is neither.
    private boolean moveChunk(LocalRunQueue from, @Nullable RunBatch fresh) {
        lock.lock();
        try {
            RunBatch chunk = fresh != null ? fresh : queue.takeChunk();
            if (chunk == null) {
                return false;
            }
            int _ = from.drainInto(chunk);
            queue.putTailBatch(chunk);
            return true;
        } finally {
            lock.held = 0;
        }
    }

    /// Moves all yielded threads to the tail, in the order of their turns. Owner of that processor.
    void takeOver(Yielded from) {
        takeOver(from.due());
        takeOver(from.next());
    }

    /// Takes one entry; null if the queue is empty.
    /// Go: globrunqget.
    @Nullable
    Runnable take() {
        lock.lock();
        try {
            return queue.get();
        } finally {
            lock.held = 0;
        }
    }

    /// Takes the first entry if it is a fresh goroutine; otherwise null.
    @Nullable
    Goroutine takeFresh() {
        lock.lock();
        try {
            Goroutine fresh = null;
            if (queue.peek() instanceof Goroutine head) {
                queue.get();
                fresh = head;
            }
            return fresh;
        } finally {
            lock.held = 0;
        }
    }

    /// How many entries a processor may take before the threads that yielded there have their turn.
    int share(int procs) {
        return Math.ceilDiv(queue.size(), procs);
    }

    /// Returns one entry, and moves a fair share of the others to the processor's empty local queue. Null if
    /// the global queue is empty, or if it is the turn of the threads that yielded there. Go: globrunqgetbatch.
    /// Owner only.
    @Nullable
    Runnable takeBatch(Processor processor, int procs) {
        if (queue.isEmpty()) {
            return null;
        }
        int most = processor.yielded.hasWaiting() ? Math.min(BATCH, processor.globalTurns) : BATCH;
        if (most == 0) {
            return null;
        }
        RunBatch batch = processor.transfer;
        lock.lock();
        try {
            int moved = queue.getBatch(procs, most, batch);
            processor.globalTurns = Math.max(0, processor.globalTurns - moved);
            if (procs == 1 && processor.globalTurns == 0) {
                // The yielded threads come right after these entries, so the batch takes them along. A chunk has room
                // for one more than a batch; otherwise the first yielded thread could overtake entries of the batch at
                // the next 61st tick. With several processors there is no such order, and Rounds could not see the
                // yielded threads in the local queue.
                processor.yielded.drainInto(batch);
            }
            Runnable first = batch.poll();
            if (!batch.isEmpty()) {
                processor.runQueue.putBatch(batch); // under the lock: see refill
            }
            return first;
        } finally {
            lock.held = 0;
        }
    }

    /// Moves a fair share to the processor's empty local queue; returns how many. Go: globrunqgetbatch,
    /// runqputbatch. Owner only.
    ///
    /// Unlike Go, the whole move happens under the lock. A machine that is about to sleep checks this queue
    /// under the lock and the local queues afterwards, so it cannot miss entries that are being moved from here
    /// to there.
    int refill(Processor processor, int procs) {
        if (queue.isEmpty()) {
            return 0;
        }
        lock.lock();
        try {
            int moved = queue.getBatch(procs, BATCH, processor.transfer);
            processor.runQueue.putBatch(processor.transfer);
            return moved;
        } finally {
            lock.held = 0;
        }
    }
}
