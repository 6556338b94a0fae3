package dev.heddle.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The arrays of a [TimerHeap]: a 4-ary heap of entries, the earliest first. Not thread-safe: the caller holds the lock
/// of the [TimerHeap], except for [#sizeOpaque]. Cancelled entries stay until they come first or [#sweep] removes them.
final class FourAryHeap {

    /// Allocates the two arrays of a larger heap; tests make it fail.
    interface Allocator {
        long[] whens(int capacity);

        @Nullable
        TimerEntry[] entries(int capacity);
    }

    static final Allocator ON_HEAP = new Allocator() {
        @Override
        public long[] whens(int capacity) {
            return new long[capacity];
        }

        @Override
        public @Nullable TimerEntry[] entries(int capacity) {
            return new TimerEntry[capacity];
        }
    };

    private static final int ARITY = 4; // as in Go: the children of i are 4i+1 .. 4i+4

    private static final VarHandle SIZE;

    static {
        try {
            SIZE = MethodHandles.lookup().findVarHandle(FourAryHeap.class, "size", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Allocator allocator;
    private long[] whens; // whens[i] == entries[i].when: sifting stays within one array
    private @Nullable TimerEntry[] entries;
    private int size; // cancelled entries included

    FourAryHeap(int initialCapacity, Allocator allocator) {
        this.allocator = allocator;
        whens = allocator.whens(initialCapacity);
        entries = allocator.entries(initialCapacity);
    }

    /// The number of entries, cancelled ones included.
    int size() {
        return size;
    }

    /// Like [#size], but may be slightly stale. Any thread, without the lock.
    int sizeOpaque() {
        return (int) SIZE.getOpaque(this);
    }

    /// When the first entry becomes due, [Long#MAX_VALUE] if there is none.
    long firstWhen() {
        return size == 0 ? Long.MAX_VALUE : whens[0];
    }

    /// The earliest entry. The heap must not be empty.
    TimerEntry first() {
        return Objects.requireNonNull(entries[0]);
    }

    /// Whether there is room for one entry more; grows the arrays if they are full. If there is no memory for
    /// larger ones, nothing changes.
    boolean tryMakeRoom() {
        return size < entries.length || tryGrow();
    }

    private boolean tryGrow() {
        int capacity = entries.length + (entries.length >> 1) + 1;
        try {
            var largerWhens = allocator.whens(capacity);
            var largerEntries = allocator.entries(capacity);
            System.arraycopy(whens, 0, largerWhens, 0, size);
            System.arraycopy(entries, 0, largerEntries, 0, size);
            whens = largerWhens;
            entries = largerEntries;
            return true;
        } catch (OutOfMemoryError e) {
            return false; // nothing has changed; the next check tries again
        }
    }

    /// Adds `entry`. There must be room: see [#tryMakeRoom].
    void insert(TimerEntry entry) {
        siftUp(size++, entry.when, entry);
    }

    void removeFirst() {
        int last = --size;
        long when = whens[last];
        var entry = entries[last];
        entries[last] = null;
        if (last != 0) {
            siftDown(0, when, Objects.requireNonNull(entry));
        }
    }

    /// Removes all cancelled entries and returns their number.
    /// Go: timers.adjust (time.go).
    int sweep() {
        int kept = 0;
        int old = size;
        for (int i = 0; i < old; i++) {
            var entry = Objects.requireNonNull(entries[i]);
            if (!entry.isCancelled()) {
                whens[kept] = whens[i];
                entries[kept++] = entry;
            }
        }
        Arrays.fill(entries, kept, old, null);
        size = kept;
        for (int i = (kept - 2) / ARITY; i >= 0 && kept > 1; i--) {
            siftDown(i, whens[i], Objects.requireNonNull(entries[i]));
        }
        return old - kept;
    }

    /// Takes the entry at `index` out and leaves a gap, for a caller that takes out all and then calls [#clear].
    TimerEntry takeAt(int index) {
        var entry = Objects.requireNonNull(entries[index]);
        entries[index] = null;
        return entry;
    }

    /// Makes the heap empty after its last entry was taken out by [#takeAt].
    void clear() {
        size = 0;
    }

    private void siftUp(int index, long when, TimerEntry entry) {
        while (index > 0) {
            int parent = (index - 1) / ARITY;
            if (when >= whens[parent]) {
                break;
            }
            whens[index] = whens[parent];
            entries[index] = entries[parent];
            index = parent;
        }
        whens[index] = when;
        entries[index] = entry;
    }

    private void siftDown(int index, long when, TimerEntry entry) {
        for (; ; ) {
            int child = index * ARITY + 1;
            if (child >= size) {
                break;
            }
            int end = Math.min(child + ARITY, size);
            int least = child;
            for (int i = child + 1; i < end; i++) {
                if (whens[i] < whens[least]) {
                    least = i;
                }
            }
            if (when <= whens[least]) {
                break;
            }
            whens[index] = whens[least];
            entries[index] = entries[least];
            index = least;
        }
        whens[index] = when;
        entries[index] = entry;
    }
}
