package dev.heddle.heap;

import java.util.BitSet;

/// A map from nonzero ids to places, with a mark for each entry. Uses open addressing, because a heap dump has millions
/// of ids, too many for boxed objects.
final class LongTable {

    private static final int FIRST_CAPACITY = 1 << 12;

    private long[] keys = new long[FIRST_CAPACITY];
    private long[] values = new long[FIRST_CAPACITY];
    private int size;
    private BitSet marked = new BitSet();

    /// Call only before the first [#mark].
    void put(long key, long value) {
        if (2 * size >= keys.length) {
            grow();
        }
        int slot = slotOf(key);
        if (keys[slot] == 0) {
            keys[slot] = key;
            size++;
        }
        values[slot] = value;
    }

    /// The value, or -1 if the key is absent.
    long get(long key) {
        int slot = slotOf(key);
        return key != 0 && keys[slot] == key ? values[slot] : -1;
    }

    /// Marks the key and returns its value; -1 if it is already marked or absent.
    long mark(long key) {
        int slot = slotOf(key);
        if (key == 0 || keys[slot] != key || marked.get(slot)) {
            return -1;
        }
        marked.set(slot);
        return values[slot];
    }

    boolean isMarked(long key) {
        int slot = slotOf(key);
        return keys[slot] == key && marked.get(slot);
    }

    private int slotOf(long key) {
        int mask = keys.length - 1;
        int slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask; // ids are aligned addresses: low bits are alike
        while (keys[slot] != 0 && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldValues = values;
        if (keys.length == 1 << 30) {
            throw new OutOfMemoryError("more than half a billion objects");
        }
        keys = new long[2 * oldKeys.length];
        values = new long[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                int slot = slotOf(oldKeys[i]);
                keys[slot] = oldKeys[i];
                values[slot] = oldValues[i];
            }
        }
        marked = new BitSet();
    }
}
