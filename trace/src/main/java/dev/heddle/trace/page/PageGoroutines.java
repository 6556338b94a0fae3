package dev.heddle.trace.page;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The goroutines of a page, numbered from 1 in the order of their first mention.
///
/// A fresh goroutine has a number and no thread; from its first start until its end the id of its thread means it. A
/// virtual thread that is no goroutine has only the id of its thread.
final class PageGoroutines {

    /// What a goroutine does, as far as the events have told.
    enum State {
        UNKNOWN,
        RUNNABLE,
        RUNNING,
        WAITING,
        ENDED
    }

    /// @param id   twice its number, or twice its thread's id and one
    /// @param body the number of the class of its body
    /// @param name 1 + the number of its thread's name, 0: it has none
    private record Row(long id, int body, int name) {}

    private final PageNames bodies;
    private final PageNames strings;
    private final List<Row> rows = new ArrayList<>();
    private final List<State> states = new ArrayList<>();
    private final Map<Long, Integer> byNumber = new HashMap<>();
    private final Map<Long, Integer> byThread = new HashMap<>();

    PageGoroutines(PageNames bodies, PageNames strings) {
        this.bodies = bodies;
        this.strings = strings;
        states.add(State.UNKNOWN); // of 0, which means none
    }

    int size() {
        return rows.size();
    }

    /// A goroutine that was started just now.
    int created(long number, String body) {
        int g = add(2 * number, body, "");
        if (number > 0) {
            byNumber.put(number, g);
        }
        return g;
    }

    /// A virtual thread that was started just now.
    int createdThread(long thread, String body, String name) {
        int g = add(2 * thread + 1, body, name);
        byThread.put(thread, g);
        return g;
    }

    /// A goroutine that starts to run in a thread.
    int started(long number, long thread, String body) {
        Integer known = byNumber.remove(number);
        int g = known != null ? known : number > 0 ? created(number, body) : add(2 * thread + 1, body, "");
        byThread.put(thread, g);
        return g;
    }

    /// What a thread means: after its goroutine has ended, still that one. A thread that was never mentioned becomes a
    /// row.
    int ofThread(long thread, Listed listed) {
        Integer known = byThread.get(thread);
        return known != null ? known : createdThread(thread, listed.body(), listed.name());
    }

    boolean knowsThread(long thread) {
        return byThread.containsKey(thread);
    }

    State state(int g) {
        return states.get(g);
    }

    void set(int g, State state) {
        states.set(g, state);
    }

    /// What else is known of a thread.
    record Listed(String name, String body) {
        static final Listed NOTHING = new Listed("", "");
    }

    private int add(long id, String body, String name) {
        rows.add(new Row(id, bodies.of(kind(body, name)), name.isEmpty() ? 0 : 1 + strings.of(name)));
        states.add(State.UNKNOWN);
        return rows.size();
    }

    /// What groups it with others that do the same: its body, else its name without the digits at the end.
    private static String kind(String body, String name) {
        if (!body.isEmpty()) {
            return body;
        }
        String stem = name.replaceFirst("[-_ #]*\\d+$", "");
        return stem.isEmpty() ? "(unknown)" : stem;
    }

    /// Writes the columns, one after the other.
    void write(Varints out) {
        long last = 0;
        for (Row row : rows) {
            out.signed(row.id - last);
            last = row.id;
        }
        for (Row row : rows) {
            out.unsigned(row.body);
        }
        for (Row row : rows) {
            out.unsigned(row.name);
        }
    }
}
