package dev.heddle.internal.trace;

import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The names that events refer to by numbers.
///
/// A class gets its id in the middle of the scheduler, where nothing may be allocated and no lock taken: it is put into
/// the first free slot from its hash on, by CAS, and the slot is its id. Texts of users get theirs in user code, from a
/// map. Both are bounded; what finds no place is nameless. The drainer writes each name to the file once.
public final class NameTable {

    private static final int CLASSES = 4096;
    private static final int PROBES = 64;
    private static final int MOST_TEXTS = 65_536;

    private static final String LAMBDA = "$$Lambda";

    private final AtomicReferenceArray<@Nullable Class<?>> classes = new AtomicReferenceArray<>(CLASSES);
    private final Map<String, Integer> texts = new ConcurrentHashMap<>();
    private final AtomicInteger lastText = new AtomicInteger(CLASSES);

    /// The id of a class; 0: the table is full around its place. Any thread.
    public int of(Class<?> type) {
        int slot = System.identityHashCode(type) & (CLASSES - 1);
        for (int i = 0; i < PROBES; i++) {
            Class<?> found = classes.getAcquire(slot);
            if (found == type || (found == null && claim(slot, type))) {
                return slot + 1;
            }
            slot = (slot + 1) & (CLASSES - 1);
        }
        return 0;
    }

    private boolean claim(int slot, Class<?> type) {
        return classes.compareAndSet(slot, null, type) || classes.getAcquire(slot) == type;
    }

    /// The id of a text, of which at most [TraceBuffer#MAX_TEXT] characters are kept; 0: there are too many. In user
    /// code: it may allocate and wait.
    public int of(String wanted) {
        String text = wanted.length() <= TraceBuffer.MAX_TEXT ? wanted : wanted.substring(0, TraceBuffer.MAX_TEXT);
        Integer known = texts.get(text);
        if (known != null) {
            return known;
        }
        if (texts.size() >= MOST_TEXTS) {
            return 0;
        }
        return texts.computeIfAbsent(text, _ -> lastText.incrementAndGet());
    }

    /// The class that a name is made of; of a lambda, the class that it is written in.
    public static String nameOf(Class<?> type) {
        String name = type.getName();
        int lambda = name.indexOf(LAMBDA);
        return lambda < 0 ? name : name.substring(0, lambda);
    }

    /// What a file has got already. Drainer only.
    static final class Written {
        private final BitSet ids = new BitSet();
    }

    /// The names that are not in `written` yet, as the content of a NAMES block; null if there are none. Drainer
    /// only.
    byte @Nullable [] news(Written written) {
        Bytes out = new Bytes();
        boolean isAny = false;
        for (int slot = 0; slot < CLASSES; slot++) {
            Class<?> type = classes.getAcquire(slot);
            if (type != null && !written.ids.get(slot + 1)) {
                written.ids.set(slot + 1);
                out.unsigned(slot + 1).text(nameOf(type));
                isAny = true;
            }
        }
        if (lastText.get() > CLASSES) {
            for (Map.Entry<String, Integer> each : texts.entrySet()) {
                if (!written.ids.get(each.getValue()) && out.size() < TraceFile.MAX_BLOCK / 2) {
                    written.ids.set(each.getValue());
                    out.unsigned(each.getValue()).text(each.getKey());
                    isAny = true;
                }
            }
        }
        return isAny ? out.toArray() : null;
    }
}
