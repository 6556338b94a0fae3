package dev.heddle.trace.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;

/// The events of a page, one array per column: like stands beside like, which compresses well.
final class PageEvents {

    private static final int FIRST_SIZE = 1 << 12;

    /// One event.
    private record Event(long time, PageKind kind, int p, int m, int g, int a, int b) {}

    private int size;
    private long[] times = new long[FIRST_SIZE];
    private byte[] kinds = new byte[FIRST_SIZE];
    private int[] ps = new int[FIRST_SIZE];
    private int[] ms = new int[FIRST_SIZE];
    private int[] gs = new int[FIRST_SIZE];
    private int[] as = new int[FIRST_SIZE];
    private int[] bs = new int[FIRST_SIZE];

    // Events that are learned of later than they happened.
    private final List<Event> late = new ArrayList<>();

    /// How many there are.
    int size() {
        return size + late.size();
    }

    /// Appends an event, and returns its number, with which it can be changed. Times must not decrease; one that would
    /// is set to that of its predecessor.
    int add(long time, PageKind kind, int p, int m, int g, int a, int b) {
        if (size == times.length) {
            grow();
        }
        times[size] = size == 0 ? Math.max(0, time) : Math.max(time, times[size - 1]);
        kinds[size] = (byte) kind.ordinal();
        ps[size] = p;
        ms[size] = m;
        gs[size] = g;
        as[size] = a;
        bs[size] = b;
        return size++;
    }

    /// Adds an event that happened before events that were appended already.
    void addLate(long time, PageKind kind, int p, int m, int g, int a, int b) {
        late.add(new Event(Math.max(0, time), kind, p, m, g, a, b));
    }

    void setKind(int event, PageKind kind) {
        kinds[event] = (byte) kind.ordinal();
    }

    void setA(int event, int a) {
        as[event] = a;
    }

    void setM(int event, int m) {
        ms[event] = m;
    }

    void setP(int event, int p) {
        ps[event] = p;
    }

    private void grow() {
        int length = times.length * 2;
        times = Arrays.copyOf(times, length);
        kinds = Arrays.copyOf(kinds, length);
        ps = Arrays.copyOf(ps, length);
        ms = Arrays.copyOf(ms, length);
        gs = Arrays.copyOf(gs, length);
        as = Arrays.copyOf(as, length);
        bs = Arrays.copyOf(bs, length);
    }

    /// Writes all columns, one after the other, in the order of time; a late event comes before others of its time.
    ///
    /// @param newP the number that a processor has in the page
    void write(Varints out, IntUnaryOperator newP) {
        int[] order = order();
        IntUnaryOperator p = it -> it < 0 ? it : newP.applyAsInt(it);
        long last = 0;
        for (int i : order) {
            long time = i < 0 ? late.get(~i).time : times[i];
            out.unsigned(time - last);
            last = time;
        }
        for (int i : order) {
            out.unsigned(kind(i));
        }
        for (int i : order) {
            out.unsigned(1 + p.applyAsInt(i < 0 ? late.get(~i).p : ps[i]));
        }
        for (int i : order) {
            out.unsigned(1 + (i < 0 ? late.get(~i).m : ms[i]));
        }
        int before = 0;
        for (int i : order) {
            int g = i < 0 ? late.get(~i).g : gs[i];
            out.signed(g - before);
            before = g;
        }
        for (int i : order) {
            int a = i < 0 ? late.get(~i).a : as[i];
            out.unsigned(1 + (kind(i) == PageKind.STEAL.ordinal() ? p.applyAsInt(a) : a));
        }
        for (int i : order) {
            out.unsigned(i < 0 ? late.get(~i).b : bs[i]);
        }
    }

    private int kind(int i) {
        return i < 0 ? late.get(~i).kind.ordinal() : kinds[i];
    }

    /// The events in the order of time: numbers of the appended ones, and complements of the late ones.
    private int[] order() {
        List<Integer> sorted = new ArrayList<>();
        for (int i = 0; i < late.size(); i++) {
            sorted.add(i);
        }
        sorted.sort(Comparator.comparingLong(it -> late.get(it).time));
        int[] order = new int[size()];
        int next = 0;
        int at = 0;
        for (int each : sorted) {
            while (next < size && times[next] < late.get(each).time) {
                order[at++] = next++;
            }
            order[at++] = ~each;
        }
        while (next < size) {
            order[at++] = next++;
        }
        return order;
    }
}
