package dev.heddle.internal.kernel;

import dev.heddle.internal.queue.GlobalRunQueue;
import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.queue.RunBatch;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// The global run queue and the scheduler lock that guards it. Go: sched.runq.
///
/// Appending is all or nothing: memory is had before anything changes, and never under the lock (N18).
final class SharedQueue {

    /// The most that one look moves to a local queue: half of that queue.
    static final int BATCH = LocalRunQueue.CAPACITY / 2;

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

    /// Makes room for one more entry, with a new chunk if there has to be one; false if there is none. Holds
    /// the lock.
    boolean hasRoom(@Nullable RunBatch chunk) {
        if (chunk != null) {
            queue.recycle(chunk);
        }
        return !queue.needsChunk();
    }

    /// Appends one entry. There is room. Holds the lock. Go: globrunqput.
    void put(Runnable entry) {
        queue.putTail(entry);
    }

    /// An empty chunk, for a spill to come.
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

    /// Appends a spilled half of a local queue; returns a chunk for the next spill if one is at hand.
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

    /// Moves everything of a local queue to the tail, in the order in which it would have run. Owner of that
    /// queue.
    ///
    /// Under the lock, as in [#refill]; chunk by chunk, so that lack of memory leaves the rest where it was.
    void takeOver(LocalRunQueue from) {
        RunBatch fresh = null;
        while (!from.isEmpty()) {
            fresh = moveChunk(from, fresh) ? null : new RunBatch();
        }
    }

    /// Moves what fits into one chunk: a fresh one, or one that is at hand. False if there is none.
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

    /// Moves everybody who yielded to the tail, in the order of their turns. Owner of that processor.
    void takeOver(Yielded from) {
        takeOver(from.due());
        takeOver(from.next());
    }

    /// One entry. Go: globrunqget.
    @Nullable
    Runnable take() {
        lock.lock();
        try {
            return queue.get();
        } finally {
            lock.held = 0;
        }
    }

    /// One entry, if it is a fresh goroutine.
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

    /// What a processor may take before those who yielded there have their turn.
    int share(int procs) {
        return Math.ceilDiv(queue.size(), procs);
    }

    /// One entry, and a fair share of the others to the processor's empty local queue; null if the global queue
    /// is empty, or if it is the turn of those who yielded there. Go: globrunqgetbatch. Owner only.
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
                // They stand behind the others in the queue, so the batch takes them along; a chunk has room for
                // one more than a batch, or the first of them could pass the others at the next 61st tick. With
                // several processors there is no such order, and Rounds could not see them in the local queue.
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
    /// All of it under the lock, unlike Go: a machine that is about to sleep looks at this queue under the lock
    /// and at the local ones afterwards, and must not miss what is on its way from here to there.
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
