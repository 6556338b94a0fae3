package dev.heddle.internal.trace;

/// A field of an event. Its name says what it holds, in whatever event it is.
public enum Field {
    /// The id of a virtual thread, as in `heddle dump`; 0: none.
    THREAD(Code.UNSIGNED),
    /// The number of a goroutine that has no thread yet, unique in the JVM; 0: it started while nothing was recorded.
    NUMBER(Code.GOROUTINE),
    /// The class of the body; empty: unknown, or the event of its creation names it.
    BODY(Code.NAME),
    /// The name of a thread; empty: it has none.
    TEXT(Code.TEXT),
    /// Where a runnable goroutine was put: see [Place].
    PLACE(Code.UNSIGNED),
    /// Where the entry came from that runs now: see [Source].
    SOURCE(Code.UNSIGNED),
    /// Why a goroutine parks: see [ParkReason].
    REASON(Code.UNSIGNED),
    /// The class of the object that a goroutine waits for; empty: none.
    BLOCKER(Code.NAME),
    /// 1: the yield was asked for, because the slice was over or the processor was lost. 0: the goroutine yielded.
    PREEMPTED(Code.UNSIGNED),
    /// The number of a stack in the file.
    STACK(Code.UNSIGNED),
    /// The number of a processor; -1: none.
    PROCESSOR(Code.SIGNED),
    /// The number of a machine of the same scheduler; -1: none, or one that has yet to be made.
    MACHINE(Code.SIGNED),
    /// Why a processor was handed off: see [HandOffReason].
    WHY(Code.UNSIGNED),
    /// A time span in nanoseconds; -1: without limit.
    NANOS(Code.SIGNED),
    /// How long before the event something began, in nanoseconds.
    AGO(Code.UNSIGNED),
    /// A number of entries, timers, sockets, events.
    COUNT(Code.UNSIGNED),
    /// 1: of the threads that yielded; 0: of the run queue, or of a runNext if it was empty.
    YIELDED(Code.UNSIGNED),
    /// 1: a wait for sockets, too.
    SOCKETS(Code.UNSIGNED),
    /// The number of a user's task; 0: none.
    TASK(Code.UNSIGNED),
    /// The task that contains it; 0: none.
    PARENT(Code.UNSIGNED),
    /// A name that the user or the JVM gave: of a task, a region, a log entry's category, a kind of pause.
    NAME(Code.NAME);

    /// How a field is stored.
    public enum Code {
        /// A varint.
        UNSIGNED,
        /// A varint in zigzag form: 0, -1, 1, -2, ..
        SIGNED,
        /// The difference to the last such field of the chunk, as SIGNED; the first is a difference to 0.
        GOROUTINE,
        /// The id of a text in the table of names, as UNSIGNED; 0: the empty text.
        NAME,
        /// The number of bytes, as UNSIGNED, and the bytes, UTF-8.
        TEXT
    }

    private final Code code;

    Field(Code code) {
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
