package dev.heddle.internal.jdk;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the thread-locals of another thread, while that thread may change them.
public final class ThreadLocalValues {

    private static final Class<?> MAP = Jdk.classNamed("java.lang.ThreadLocal$ThreadLocalMap");
    private static final Class<?> ENTRY = Jdk.classNamed("java.lang.ThreadLocal$ThreadLocalMap$Entry");

    /// @param key   the thread-local
    /// @param value its value in that thread
    public record Entry(Object key, Object value) {}

    private ThreadLocalValues() {}

    /// The thread-locals that are set in `thread`; collected ones are left out. Any thread.
    public static List<Entry> of(Thread thread) {
        List<Entry> found = new ArrayList<>();
        Object map = ObjectFields.referenceOf(thread, Thread.class, "threadLocals");
        if (map == null) {
            return found;
        }
        @Nullable Object[] table = (Object[]) ObjectFields.referenceOf(map, MAP, "table");
        if (table == null) {
            return found;
        }
        for (Object each : table) {
            if (each instanceof Reference<?> entry) {
                Object key = entry.get();
                Object value = ObjectFields.referenceOf(each, ENTRY, "value");
                if (key != null && value != null) {
                    found.add(new Entry(key, value));
                }
            }
        }
        return found;
    }
}
