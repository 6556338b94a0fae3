package dev.heddle.internal.trace;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The kinds of events. `docs/trace-format.md` says when each is written and what follows from it; a test compares its
/// table with this one.
public enum EventKind {
    // ---- goroutines
    GO_CREATE(1, Order.GIVES, Field.NUMBER, Field.BODY, Field.PLACE),
    THREAD_CREATE(2, Order.GIVES, Field.THREAD, Field.BODY, Field.PLACE, Field.TEXT),
    GO_READY(3, Order.GIVES, Field.THREAD, Field.PLACE),
    GO_REFUSED(4, Order.NOTES, Field.THREAD),
    GO_START(5, Order.TAKES, Field.THREAD, Field.SOURCE),
    GO_START_FRESH(6, Order.TAKES, Field.NUMBER, Field.THREAD, Field.SOURCE, Field.BODY),
    GO_PARK(7, Order.GIVES, Field.REASON, Field.BLOCKER),
    GO_YIELD(8, Order.GIVES, Field.PREEMPTED),
    GO_END(9, Order.GIVES),
    GO_VOID(10, Order.GIVES),
    GO_STACK(11, Order.NOTES, Field.STACK),

    // ---- processors
    P_START(12, Order.TAKES, Field.PROCESSOR),
    P_STOP(13, Order.GIVES, Field.PROCESSOR),
    P_TAKEN(14, Order.TAKES, Field.PROCESSOR, Field.MACHINE),
    P_LOST(15, Order.NOTES, Field.PROCESSOR),
    HAND_OFF(16, Order.GIVES, Field.PROCESSOR, Field.MACHINE, Field.WHY, Field.NANOS),
    GIVE_AWAY(17, Order.NOTES, Field.PROCESSOR),
    PREEMPT_ASK(18, Order.NOTES, Field.PROCESSOR, Field.MACHINE),
    SLICE_END(19, Order.NOTES, Field.PROCESSOR),

    // ---- queues
    STEAL(20, Order.TAKES, Field.PROCESSOR, Field.COUNT, Field.YIELDED),
    SPILL(21, Order.GIVES, Field.COUNT, Field.YIELDED),
    GLOBAL_TAKE(22, Order.TAKES, Field.COUNT),
    SHARE(23, Order.GIVES, Field.PROCESSOR),

    // ---- machines
    M_BEGIN(24, Order.NOTES),
    M_END(25, Order.NOTES),
    M_PARK(26, Order.NOTES),
    M_UNPARK(27, Order.NOTES),
    M_WAKE(28, Order.GIVES, Field.MACHINE),
    NAP_BEGIN(29, Order.NOTES),
    NAP_END(30, Order.NOTES),
    SPIN_BEGIN(31, Order.NOTES),
    SPIN_END(32, Order.NOTES),
    SLEEP_BEGIN(33, Order.NOTES, Field.NANOS, Field.SOCKETS),
    SLEEP_END(34, Order.NOTES),
    TIMER_ADD(35, Order.NOTES, Field.NANOS),
    TIMERS(36, Order.NOTES, Field.PROCESSOR, Field.COUNT),
    NETPOLL(37, Order.NOTES, Field.COUNT),
    BLOCK_BEGIN(38, Order.NOTES),
    BLOCK_END(39, Order.NOTES),

    // ---- locked threads
    THREAD_LOCK(40, Order.NOTES, Field.THREAD),
    THREAD_UNLOCK(41, Order.NOTES, Field.THREAD),
    LOCKED_DELIVER(42, Order.GIVES, Field.THREAD, Field.MACHINE),

    // ---- the whole scheduler, and the JVM
    STW_BEGIN(43, Order.NOTES),
    STW_END(44, Order.NOTES),
    PROCS(45, Order.NOTES, Field.COUNT),
    HOG(46, Order.NOTES, Field.MACHINE, Field.NANOS),
    DEMOTE(47, Order.NOTES, Field.MACHINE),
    THROTTLED(48, Order.NOTES, Field.NANOS),
    GC(49, Order.NOTES, Field.AGO, Field.NANOS, Field.NAME),

    // ---- the user's annotations
    TASK_BEGIN(50, Order.NOTES, Field.TASK, Field.PARENT, Field.NAME),
    TASK_END(51, Order.NOTES, Field.TASK),
    REGION_BEGIN(52, Order.NOTES, Field.TASK, Field.NAME),
    REGION_END(53, Order.NOTES, Field.TASK, Field.NAME),
    LOG(54, Order.NOTES, Field.TASK, Field.NAME, Field.TEXT),

    // ---- the recording itself
    CHUNK(63, Order.NOTES, Field.PROCESSOR, Field.THREAD, Field.COUNT);

    /// How the time of an event relates to what it tells.
    public enum Order {
        /// Written before the store that lets another thread act on it.
        GIVES,
        /// Written after what was given had been won.
        TAKES,
        /// No other event depends on it.
        NOTES
    }

    private static final @Nullable EventKind[] BY_CODE = byCode();

    private final int code;
    private final Order order;

    /// How its fields are stored. An array: writers must not allocate an iterator.
    final Field.Code[] codes;

    private final List<Field> fields;
    private final Map<Field, Integer> positions = new EnumMap<>(Field.class);

    EventKind(int code, Order order, Field... fields) {
        this.code = code;
        this.order = order;
        this.fields = List.of(fields);
        this.codes = new Field.Code[fields.length];
        int next = 0;
        for (int i = 0; i < fields.length; i++) {
            Field field = fields[i];
            codes[i] = field.code();
            if (field.code() != Field.Code.TEXT) {
                positions.put(field, next++);
            }
        }
    }

    /// The byte with which its events begin.
    public int code() {
        return code;
    }

    public Order order() {
        return order;
    }

    /// Its fields, in the order in which they are stored.
    public List<Field> fields() {
        return fields;
    }

    /// Which of the numbers of an event the field is; -1: the event has no such number.
    int positionOf(Field field) {
        return positions.getOrDefault(field, -1);
    }

    /// The kind of that code; null: a newer writer's, or damage.
    public static @Nullable EventKind of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }

    private static @Nullable EventKind[] byCode() {
        @Nullable EventKind[] all = new EventKind[CHUNK.code + 1];
        for (EventKind each : values()) {
            all[each.code] = each;
        }
        return all;
    }
}
