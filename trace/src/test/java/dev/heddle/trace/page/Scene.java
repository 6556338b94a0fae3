package dev.heddle.trace.page;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.TraceEvent;
import java.util.ArrayList;
import java.util.List;

/// Events that tests write by hand: each a microsecond after the one before.
final class Scene {

    /// The writer of events that no machine writes.
    static final int FOREIGN = -1;

    private static final long STEP = 1000;
    private static final int SLOTS = 4;

    private final List<TraceEvent> events = new ArrayList<>();
    private long now = STEP;

    /// Time passes.
    Scene pause(long nanos) {
        now += nanos;
        return this;
    }

    long now() {
        return now;
    }

    /// @param numbers the numbers of the event, without the numbers of names; omitted ones are 0
    Scene add(int machine, EventKind kind, long... numbers) {
        return add(machine, kind, "", "", numbers);
    }

    Scene add(int machine, EventKind kind, String name, String text, long... numbers) {
        return add(0, machine, kind, name, text, numbers);
    }

    Scene add(int scheduler, int machine, EventKind kind, String name, String text, long... numbers) {
        long[] slots = new long[SLOTS];
        int slot = 0;
        int next = 0;
        for (Field field : kind.fields()) {
            switch (field.code()) {
                case TEXT -> {
                    // is no number
                }
                case NAME -> slot++;
                default -> slots[slot++] = next < numbers.length ? numbers[next++] : 0;
            }
        }
        if (next != numbers.length) {
            throw new IllegalArgumentException(kind + " has " + next + " numbers, not " + numbers.length);
        }
        long writer = 100 + machine;
        events.add(new TraceEvent(
                now, scheduler, machine, writer, kind, slots[0], slots[1], slots[2], slots[3], name, text));
        now += STEP;
        return this;
    }

    /// The page's data: one scheduler with so many processors.
    PageData data(String name, int procs) {
        return data(new PageData.Builder().scheduler(0, "default", procs), name);
    }

    PageData data(PageData.Builder builder, String name) {
        PageData data = builder.build(name);
        events.forEach(data::accept);
        return data;
    }
}
