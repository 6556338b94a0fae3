package dev.heddle.internal.trace;

/// A map of goroutines to the times since which they are runnable: open addressing, no objects per entry.
final class SinceTable {

    /// At most so many goroutines: 32 MB.
    static final int MOST = 1 << 20;

    private static final int LEAST_SLOTS = 1 << 10;

    /// 2^64 divided by the golden ratio: spreads ids that follow one another.
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /// No goroutine.
    private static final long FREE = 0;

    private long[] keys = new long[LEAST_SLOTS];
    private long[] times = new long[LEAST_SLOTS];
    private int size;

    int size() {
        return size;
    }

    /// Sets the time of a goroutine. False if there is no room.
    ///
    /// @param key not 0
    boolean put(long key, long time) {
        int slot = slotOf(key);
        if (keys[slot] == FREE) {
            if (size == MOST) {
                return false;
            }
            if (2 * (size + 1) > keys.length) {
                rehash(2 * keys.length);
                slot = slotOf(key);
            }
            keys[slot] = key;
            size++;
        }
        times[slot] = time;
        return true;
    }

    /// Removes a goroutine. Returns its time; -1 if it was not there.
    long remove(long key) {
        int slot = slotOf(key);
        if (keys[slot] == FREE) {
            return -1;
        }
        long time = times[slot];
        size--;
        int mask = keys.length - 1;
        int hole = slot;
        for (int next = slot + 1 & mask; keys[next] != FREE; next = next + 1 & mask) {
            int home = homeOf(keys[next]);
            if ((next - home & mask) >= (next - hole & mask)) { // it may move back into the hole
                keys[hole] = keys[next];
                times[hole] = times[next];
                hole = next;
            }
        }
        keys[hole] = FREE;
        return time;
    }

    /// Takes a goroutine and its time.
    interface Entry {
        void is(long key, long time);
    }

    /// Removes all goroutines whose time is before `time`.
    void removeBefore(long time, Entry to) {
        for (int slot = 0; slot < keys.length; ) {
            long key = keys[slot];
            if (key != FREE && times[slot] < time) {
                to.is(key, remove(key)); // another one may have moved to this slot
            } else {
                slot++;
            }
        }
    }

    /// Forgets all, and gives memory back.
    void clear() {
        keys = new long[LEAST_SLOTS];
        times = new long[LEAST_SLOTS];
        size = 0;
    }

    /// Gives memory back that a burst had needed.
    void trim() {
        if (keys.length > LEAST_SLOTS && 8 * size < keys.length) {
            rehash(Math.max(LEAST_SLOTS, Integer.highestOneBit(Math.max(1, size)) * 4));
        }
    }

    private int slotOf(long key) {
        int mask = keys.length - 1;
        int slot = homeOf(key);
        while (keys[slot] != FREE && keys[slot] != key) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private int homeOf(long key) {
        return (int) (key * SPREAD >>> 32) & keys.length - 1;
    }

    private void rehash(int slots) {
        long[] oldKeys = keys;
        long[] oldTimes = times;
        long[] newKeys = new long[slots]; // both first: on OutOfMemoryError nothing has changed
        long[] newTimes = new long[slots];
        keys = newKeys;
        times = newTimes;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != FREE) {
                int slot = slotOf(oldKeys[i]);
                keys[slot] = oldKeys[i];
                times[slot] = oldTimes[i];
            }
        }
    }
}
