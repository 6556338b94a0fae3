package dev.heddle.internal.queue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A chunk of run-queue entries in FIFO order. A full local queue spills into a chunk, and the global queue is a list
/// of chunks.
///
/// Holds half a local queue and one more entry, because that is what one spill moves (Go: `runqputslow`). Chunks are
/// allocated before a move and reused afterwards, so that moving entries cannot fail (N18).
///
/// Not thread-safe: a chunk, including its [#next] link, belongs to its current holder. Passing it to another thread
/// needs a happens-before edge, in practice the scheduler lock or the hand-over of a processor.
public final class RunBatch {
    /// Capacity of a chunk for local queues of the standard capacity: 129.
    public static final int CAPACITY = capacityFor(LocalRunQueue.CAPACITY);

    /// Link for lists of chunks. Belongs to the holder; a queue that takes ownership of a chunk overwrites it.
    public @Nullable RunBatch next;

    private final @Nullable Runnable[] entries; // circular: head, head + 1, .. modulo length
    private int head;
    private int size;

    /// A chunk for queues of the standard capacity.
    public RunBatch() {
        this(CAPACITY);
    }

    /// A chunk of `capacity` entries.
    public RunBatch(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a chunk needs room for at least one entry, not " + capacity);
        }
        entries = new Runnable[capacity];
    }

    /// Entries that a spill of a local queue of capacity `localCapacity` moves: its older half and the new
    /// entry.
    public static int capacityFor(int localCapacity) {
        return localCapacity / 2 + 1;
    }

    /// Appends `entry`.
    ///
    /// @throws IllegalStateException if the chunk is full; nothing has changed then
    public void add(Runnable entry) {
        if (size == entries.length) {
            throw new IllegalStateException("chunk full: " + size + " entries");
        }
        entries[slot(size)] = entry;
        size++;
    }

    /// Removes and returns the oldest entry, or null if there is none. The slot is cleared.
    public @Nullable Runnable poll() {
        if (size == 0) {
            return null;
        }
        var entry = entries[head];
        entries[head] = null;
        head = slot(1);
        size--;
        return entry;
    }

    /// The oldest entry, or null if there is none.
    public @Nullable Runnable peek() {
        return size == 0 ? null : entries[head];
    }

    /// Appends `count` entries of a ring whose length is a power of two, from index `from` on. The caller has
    /// checked that they fit.
    void addAll(@Nullable Runnable[] ring, int from, int count) {
        for (int done = 0; done < count; ) {
            int source = (from + done) & (ring.length - 1);
            int target = slot(size);
            int run = Math.min(count - done, Math.min(ring.length - source, entries.length - target));
            System.arraycopy(ring, source, entries, target, run);
            size += run;
            done += run;
        }
    }

    /// Moves the `count` oldest entries to a ring whose length is a power of two, from index `to` on. The
    /// caller has checked that the chunk holds that many.
    void pollAll(@Nullable Runnable[] ring, int to, int count) {
        for (int done = 0; done < count; ) {
            int target = (to + done) & (ring.length - 1);
            done += pollRun(ring, target, Math.min(count - done, ring.length - target));
        }
    }

    /// Moves the `count` oldest entries to the end of another chunk. The caller has checked that this chunk
    /// holds that many and that they fit into the other.
    void moveTo(RunBatch other, int count) {
        for (int done = 0; done < count; ) {
            int target = other.slot(other.size);
            int run = pollRun(other.entries, target, Math.min(count - done, other.entries.length - target));
            other.size += run;
            done += run;
        }
    }

    /// Moves at most `most` of the oldest entries, as many as are contiguous in the array; returns how many.
    private int pollRun(@Nullable Runnable[] into, int at, int most) {
        int run = Math.min(most, entries.length - head);
        System.arraycopy(entries, head, into, at, run);
        Arrays.fill(entries, head, head + run, null);
        head = slot(run);
        size -= run;
        return run;
    }

    /// Entries held.
    public int size() {
        return size;
    }

    /// Whether no entry is held.
    public boolean isEmpty() {
        return size == 0;
    }

    /// Whether [#add] would fail.
    public boolean isFull() {
        return size == entries.length;
    }

    /// Entries that can still be added.
    public int remaining() {
        return entries.length - size;
    }

    /// Removes the youngest entries until `newSize` are left. Undoes a speculative copy.
    void truncate(int newSize) {
        while (size > newSize) {
            size--;
            entries[slot(size)] = null;
        }
    }

    private int slot(int offset) {
        int index = head + offset; // 129 is no power of two: wrap by comparison, not by mask
        return index < entries.length ? index : index - entries.length;
    }
}
