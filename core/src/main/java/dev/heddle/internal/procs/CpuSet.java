package dev.heddle.internal.procs;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// An immutable set of CPU numbers, read and written as the kernel does: `0-3,7`.
public final class CpuSet {
    /// The largest CPU number accepted; Linux itself stops at 8191.
    public static final int MAX_CPU = 65_535;

    private static final CpuSet EMPTY = new CpuSet(new long[0]);

    private final long[] words; // bit (cpu & 63) of words[cpu >> 6]; the last word is not 0
    private final int size;

    private CpuSet(long[] words) {
        int length = words.length;
        while (length > 0 && words[length - 1] == 0) {
            length--;
        }
        this.words = Arrays.copyOf(words, length);
        int count = 0;
        for (long word : this.words) {
            count += Long.bitCount(word);
        }
        this.size = count;
    }

    /// The set of the given CPUs.
    public static CpuSet of(int... cpus) {
        long[] words = new long[0];
        for (int cpu : cpus) {
            if (cpu < 0 || cpu > MAX_CPU) {
                throw new IllegalArgumentException("CPU " + cpu + " is not between 0 and " + MAX_CPU);
            }
            words = withRange(words, cpu, cpu);
        }
        return new CpuSet(words);
    }

    /// Reads a list such as `0-3,7`; the empty text is the empty set, as for a NUMA node without CPUs.
    ///
    /// @throws IllegalArgumentException with one sentence, if it is no such list
    public static CpuSet parse(String list) {
        if (list.isEmpty()) {
            return EMPTY;
        }
        long[] words = new long[0];
        int from = 0;
        while (from <= list.length()) {
            int comma = list.indexOf(',', from);
            int to = comma < 0 ? list.length() : comma;
            int dash = list.indexOf('-', from);
            boolean isRange = dash >= 0 && dash < to;
            long first = Decimal.parse(list, from, isRange ? dash : to);
            long last = isRange ? Decimal.parse(list, dash + 1, to) : first;
            if (first == Decimal.NONE || last == Decimal.NONE) {
                throw refused(list, "\"" + list.substring(from, to) + "\" is neither a number nor a range");
            }
            if (first > last) {
                throw refused(list, "the range " + list.substring(from, to) + " runs backwards");
            }
            if (last > MAX_CPU) {
                throw refused(list, "CPU " + last + " is above " + MAX_CPU);
            }
            words = withRange(words, (int) first, (int) last);
            from = to + 1;
        }
        return new CpuSet(words);
    }

    private static IllegalArgumentException refused(String list, String why) {
        return new IllegalArgumentException("\"" + list + "\" is not a list of CPUs such as 0-3,7: " + why);
    }

    private static long[] withRange(long[] words, int first, int last) {
        int length = (last >> 6) + 1;
        long[] result = length > words.length ? Arrays.copyOf(words, length) : words;
        for (int cpu = first; cpu <= last; cpu++) {
            result[cpu >> 6] |= 1L << cpu;
        }
        return result;
    }

    /// How many CPUs are in the set.
    public int size() {
        return size;
    }

    /// Whether the set has no CPU.
    public boolean isEmpty() {
        return size == 0;
    }

    /// Whether `cpu` is in the set.
    public boolean contains(int cpu) {
        return cpu >= 0 && cpu >> 6 < words.length && (words[cpu >> 6] & 1L << cpu) != 0;
    }

    /// The smallest CPU of the set that is not below `cpu`, or -1.
    public int next(int cpu) {
        for (int i = cpu; i < words.length << 6; i++) {
            if (contains(i)) {
                return i;
            }
        }
        return -1;
    }

    /// The CPUs of this set that are not in `other`.
    public CpuSet minus(CpuSet other) {
        long[] rest = words.clone();
        for (int i = 0; i < Math.min(rest.length, other.words.length); i++) {
            rest[i] &= ~other.words[i];
        }
        return new CpuSet(rest);
    }

    /// The CPU numbers, ascending.
    public int[] toArray() {
        int[] cpus = new int[size];
        int cpu = -1;
        for (int i = 0; i < size; i++) {
            cpu = next(cpu + 1);
            cpus[i] = cpu;
        }
        return cpus;
    }

    /// The bits as the kernel's `cpu_set_t` has them on a 64-bit machine.
    long[] toMask() {
        return words.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CpuSet that && Arrays.equals(words, that.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    /// The list that [#parse] reads; ranges of two and more are joined, as the kernel does.
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        for (int first = next(0); first >= 0; ) {
            int last = first;
            while (contains(last + 1)) {
                last++;
            }
            if (!out.isEmpty()) {
                out.append(',');
            }
            out.append(first);
            if (last > first) {
                out.append('-').append(last);
            }
            first = next(last + 1);
        }
        return out.toString();
    }
}
