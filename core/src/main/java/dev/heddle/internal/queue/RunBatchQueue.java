package dev.heddle.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The scheduler's global run queue: an unbounded FIFO made of chunks.
///
/// Not thread-safe: every method but [#size] and [#isEmpty] needs the scheduler lock. No method allocates (N18):
/// callers provide the chunks, a bounded list keeps emptied ones for reuse, and whole chunks are linked in O(1) at
/// either end. Before a [#putTail] the caller makes sure that a chunk is available. If it has to allocate one, it does
/// so outside the lock:
///
/// ```java
/// lock();
/// if (queue.needsChunk()) {
///     unlock();
///     var chunk = new RunBatch();   // may fail: nothing has changed yet
///     lock();
///     queue.recycle(chunk);
/// }
/// queue.putTail(entry);
/// unlock();
/// ```
public final class RunBatchQueue {
    /// Emptied chunks kept for reuse.
    static final int MAX_FREE = 64; // about 36 KB, room for 8,256 entries; a guess, unmeasured

    private static final VarHandle SIZE;

    static {
        try {
            SIZE = MethodHandles.lookup().findVarHandle(RunBatchQueue.class, "size", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private @Nullable RunBatch first; // chunks first .. last are linked by next; none of them is empty
    private @Nullable RunBatch last;
    private @Nullable RunBatch free; // emptied chunks, a stack linked by next
    private int freeCount;
    private volatile int size; // written under the lock, read by anyone

    /// Whether [#putTail] needs a chunk and none is available: pass one to [#recycle] first. Holds the scheduler
    /// lock.
    public boolean needsChunk() {
        return free == null && (last == null || last.isFull());
    }

    /// Keeps an empty chunk for later use, or drops it if enough are kept. Holds the scheduler lock.
    public void recycle(RunBatch chunk) {
        if (!chunk.isEmpty()) {
            throw new IllegalArgumentException("only empty chunks can be reused, this one has " + chunk.size());
        }
        if (freeCount < MAX_FREE) {
            chunk.next = free;
            free = chunk;
            freeCount++;
        }
    }

    /// Takes one of the empty chunks kept for reuse, or returns null. Holds the scheduler lock.
    public @Nullable RunBatch takeChunk() {
        var chunk = free;
        if (chunk != null) {
            free = chunk.next;
            chunk.next = null;
            freeCount--;
        }
        return chunk;
    }

    /// Appends `entry`. Go: globrunqput (proc.go). Holds the scheduler lock.
    ///
    /// @throws IllegalStateException if [#needsChunk]; nothing has changed then
    public void putTail(Runnable entry) {
        var chunk = last;
        if (chunk == null || chunk.isFull()) {
            chunk = takeChunk();
            if (chunk == null) {
                throw new IllegalStateException("no chunk for another entry: check needsChunk() first");
            }
            linkTail(chunk);
        }
        chunk.add(entry);
        grow(1);
    }

    /// Appends all entries of `batch`; the queue owns the chunk from now on. O(1). Go: globrunqputbatch
    /// (proc.go). Holds the scheduler lock.
    public void putTailBatch(RunBatch batch) {
        if (batch.isEmpty()) {
            recycle(batch);
            return;
        }
        linkTail(batch);
        grow(batch.size());
    }

    /// Puts all entries of `batch` at the front, in their order; the queue owns the chunk from now on. O(1).
    /// Used for the entries of a destroyed processor: the caller puts its second chunk first, then its first.
    /// Holds the scheduler lock.
    public void putHead(RunBatch batch) {
        if (batch.isEmpty()) {
            recycle(batch);
            return;
        }
        batch.next = first;
        first = batch;
        if (last == null) {
            last = batch;
        }
        grow(batch.size());
    }

    /// Takes the oldest entry, or returns null. Go: globrunqget (proc.go), the one entry of the fairness check
    /// (F34). Holds the scheduler lock.
    public @Nullable Runnable get() {
        var entry = poll();
        if (entry != null) {
            grow(-1);
        }
        return entry;
    }

    /// What [#get] would return, or null. Holds the scheduler lock.
    public @Nullable Runnable peek() {
        var chunk = first;
        return chunk == null ? null : chunk.peek();
    }

    /// Moves a fair share of the oldest entries to `into`: at most `max`, at most `size / procs + 1`, at most
    /// what `into` has room for. Returns the number moved. Go: globrunqgetbatch (proc.go, F35). Holds the
    /// scheduler lock.
    public int getBatch(int procs, int max, RunBatch into) {
        int size = this.size;
        int batch = Math.min(Math.min(max, into.remaining()), Math.min(size, size / procs + 1));
        for (int moved = 0; moved < batch; ) {
            var chunk = first;
            if (chunk == null) {
                throw new IllegalStateException("global queue says " + size + " entries, has " + moved);
            }
            int run = Math.min(batch - moved, chunk.size());
            chunk.moveTo(into, run);
            moved += run;
            dropIfEmpty(chunk);
        }
        if (batch > 0) {
            grow(-batch);
        }
        return Math.max(batch, 0);
    }

    /// Number of queued entries. Exact under the scheduler lock, otherwise slightly stale. Any thread.
    public int size() {
        return size;
    }

    /// Whether nothing is queued. Exact under the scheduler lock, otherwise slightly stale. Any thread.
    public boolean isEmpty() {
        return size == 0;
    }

    private @Nullable Runnable poll() {
        var chunk = first;
        if (chunk == null) {
            return null;
        }
        var entry = chunk.poll();
        dropIfEmpty(chunk);
        return entry;
    }

    /// Unlinks the first chunk when its last entry was taken.
    private void dropIfEmpty(RunBatch chunk) {
        if (chunk.isEmpty()) {
            first = chunk.next;
            if (first == null) {
                last = null;
            }
            recycle(chunk);
        }
    }

    private void linkTail(RunBatch chunk) {
        chunk.next = null;
        if (last == null) {
            first = chunk;
        } else {
            last.next = chunk;
        }
        last = chunk;
    }

    private void grow(int change) {
        // release: the lock excludes other writers; a reader without the lock has a full fence of its own (N1)
        SIZE.setRelease(this, size + change);
    }
}
