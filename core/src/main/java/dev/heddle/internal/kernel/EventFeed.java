package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import org.jspecify.annotations.Nullable;

/// What the system monitor did to machines, for a thread that reports it. A kernel has one only while that thread wants
/// it.
public final class EventFeed {
    /*
     * Why.        The monitor must not report by itself. The flight recorder loads classes, allocates and takes locks,
     *             and the owner of a lock may be a virtual thread that waits for a processor, which only the monitor can
     *             free.
     * Shape.      A ring of slots that exist from the beginning: the monitor allocates nothing. `written` and `read`
     *             only grow; slot = index & MASK; read <= written <= read + CAPACITY.
     * Who writes. written and the slots from read + CAPACITY on: the system monitor.  read: the reader.
     * Orderings.  add: slot (plain), then written (volatile); the reader reads them the other way round. The same for
     *             read, so that a slot is not filled while the reader copies it.
     * Full.       The new event is dropped and counted: the latest ones are as good as the first, and the monitor
     *             does not wait.
     */

    /// What happened.
    public enum Kind {
        /// The processor of a thread in a declared blocking operation was taken.
        DECLARED,
        /// The processor of a thread that was found blocked was taken.
        UNDECLARED,
        /// The processor of a thread that computes too long was taken.
        HOG,
        /// A thread that had lost its processor for blocking computes too long.
        DETACHED_HOG
    }

    /// One event, as the reader gets it.
    ///
    /// @param kind      what happened
    /// @param processor the processor that was taken; -1 if none was
    /// @param machine   the machine
    /// @param mounts    its number of mounts then: if it differs, another thread is mounted now
    /// @param nanos     how long it had been blocked; of a hog, the CPU time that it had used
    public record Event(Kind kind, int processor, Machine machine, long mounts, long nanos) {

        /// The thread that is still mounted; null if it has left the machine.
        public @Nullable Thread thread() {
            Thread mounted = machine.mountedThread();
            return machine.mounts() == mounts ? mounted : null;
        }
    }

    private static final class Slot {
        Kind kind = Kind.DECLARED;
        int processor;

        @Nullable
        Machine machine;

        long mounts;
        long nanos;
    }

    /// A burst of hand-offs fits: threads are often found blocked one after the other.
    private static final int CAPACITY = 256;

    private final Slot[] slots = new Slot[CAPACITY];
    private final Thread reader;
    private volatile long written;
    private volatile long read;
    private volatile long dropped;

    /// @param reader the thread that calls [#poll], and that parks while there is nothing to report
    public EventFeed(Thread reader) {
        this.reader = reader;
        for (int i = 0; i < CAPACITY; i++) {
            slots[i] = new Slot();
        }
    }

    /// System monitor only, without a lock.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void add(Kind kind, int processor, Machine machine, long nanos) {
        if (written - read == CAPACITY) {
            dropped++;
            return;
        }
        Slot slot = slots[(int) written & (CAPACITY - 1)];
        slot.kind = kind;
        slot.processor = processor;
        slot.machine = machine;
        slot.mounts = machine.mounts();
        slot.nanos = nanos;
        written++;
        Jdk.unparkCarrier(reader);
    }

    /// The next event; null if there is none. Reader only.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public @Nullable Event poll() {
        if (read == written) {
            return null;
        }
        Slot slot = slots[(int) read & (CAPACITY - 1)];
        Machine machine = slot.machine;
        Event event = machine == null ? null : new Event(slot.kind, slot.processor, machine, slot.mounts, slot.nanos);
        slot.machine = null;
        read++;
        return event;
    }

    /// How many events did not fit. Any thread.
    public long dropped() {
        return dropped;
    }
}
