package dev.heddle.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A processor's run queue: a bounded FIFO ring with one producer, the owner, and many consumers (SPMC), and in
/// front of it the slot `runNext` for the entry that runs next.
///
/// The *owner* is the thread that holds the processor; ownership may move between threads, with a happens-before
/// edge. All other threads may only steal and read the queue's state. Entries are not unique: the same object may be
/// queued several times (N5).
///
/// Publishing has release semantics only. A producer that checks after a [#put] whether a consumer is awake needs a
/// full fence between the two (N1). The waker provides that fence, not the queue.
public final class LocalRunQueue extends RunQueuePadding {
    /*
     * Shape.      head .. tail are free-running ints; slot = index & mask; 0 <= tail - head <= capacity.
     *
     *            cleared      head               tail
     *               v          v                  v
     *             | x  |  x  | G4 | G5 | G6 | G7 | . |        runNext: G8 (runs first, stolen last)
     *             consumed by thieves,            null
     *             not yet cleared
     *
     * Invariants. (I1) only the owner writes tail, cleared and slots, null included (N4);
     *             (I2) head only grows, by CAS, by anyone, and never beyond tail;
     *             (I3) a slot is written again only after its writer saw head behind it;
     *             (I4) runNext becomes non-null by the owner only; anyone may CAS it to null;
     *             (I5) cleared <= head and tail - cleared <= capacity, so clearing [cleared, head) hits no live slot;
     *                  between calls every slot outside [cleared, tail) is null.
     * Who writes. tail, cleared, slots: owner.  head: owner and thieves.  runNext: owner sets, anyone empties.
     * Orderings.  put: slots (plain), then tail setRelease -- pairs with the thief's tail getAcquire.
     *             take, grab, spill: head getAcquire, (thief: tail getAcquire,) slots (plain), then CAS head. The CAS
     *             commits the reads or discards them: a plain read may return what a later lap put there, but such a
     *             put saw head behind the slot (I3, acquire), so this CAS, which expects the old head, fails. For the
     *             same reason no consumer dereferences an entry before the CAS.
     *             The head is read before the tail: tail - head may come out too large, never negative.
     *             The owner reads tail and cleared plain: no one else writes them.
     *             runNext: exchange and CAS, hence full fences.
     *             isEmpty: volatile reads. A machine that goes to sleep decrements the spinning count and then scans
     *             with isEmpty (N1). Acquire reads could be satisfied before that decrement, and producer and sleeper
     *             would miss each other.
     *             Not here: the StoreLoad between put and reading the spinning count. Go's StoreRel is XCHG on amd64
     *             and STLR on arm64 and includes it; setRelease is a plain MOV on x86.
     * Clearing.   Go's collector sees no references in its ring; ours would keep finished threads and their stacks
     *             alive. The owner nulls a slot when it takes the entry. It nulls the slots that thieves emptied on
     *             its next take or put, or in clearDead before the processor goes idle: each slot once per lap.
     *             Copies of a failed grab lie beyond the thief's own tail; it clears them before stealFrom returns.
     * Failure.    put reserves overflow memory before its first change. If an Error occurs later (a stack overflow;
     *             N6), `stranded` holds the entry that put was moving.
     * Progress.   put, swapNext, takeNext, putBatch: wait-free, except put into a full ring: lock-free. takeHead,
     *             stealFrom: lock-free, a failed CAS means that another consumer succeeded. isEmpty repeats only
     *             while the owner puts.
     * Rejected.   Chase-Lev deque: LIFO at the owner breaks Go's order (F16, F48).
     *             Locks: a descheduled thief would stall the owner.
     *             Thieves that null what they took: a thief descheduled between CAS and store would erase an entry of
     *             the next lap (N4); CAS(slot, entry, null) does not help, the same object may be there again (N5).
     *             A volatile tail: it would put the fence of N1 into batches and steals, which wake no machine.
     *             Wider indices: ABA on head needs 2^32 entries between a read and its CAS; accepted, as in Go.
     * Sources.    Go 1.27 proc.go runq* (F25-F33); notes N1, N4, N5, N6, N18.
     *             Checked by LocalRunQueueTest, LocalRunQueuePropertyTest, LocalRunQueueStressTest,
     *             LocalRunQueueLincheckTest, CollectableEntriesTest, LayoutTest; in jcstress/ by StealVsPut,
     *             StealVsGet, StealVsSteal, StealVsSpill, LapVsSteal, RunNextStealVsTake, RunNextStealVsPut,
     *             PutVsEmpty, PublishVsScan.
     */

    /// Slots of a processor's queue, as in Go.
    public static final int CAPACITY = 256;

    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle RUN_NEXT;

    static {
        try {
            var lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(LocalRunQueue.class, "head", int.class);
            TAIL = lookup.findVarHandle(LocalRunQueue.class, "tail", int.class);
            RUN_NEXT = lookup.findVarHandle(LocalRunQueue.class, "runNext", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// The entry that a [#put] was moving to the ring when an [Error] interrupted it: a displaced `runNext`, or the
    /// new entry itself. The new entry may be queued as well, which is harmless because entries need not be unique
    /// (N5). Null unless a put threw.
    ///
    /// A field, because it is read in the catch block of a `StackOverflowError`, where a call could overflow the
    /// stack again (N6): read it, then write null. Written by this class, and nulled by the kernel's entry points
    /// and submissions. Owner only.
    public @Nullable Runnable stranded;

    private final @Nullable Runnable[] slots;
    private final int mask;

    /// A queue of [#CAPACITY] slots.
    public LocalRunQueue() {
        this(CAPACITY);
    }

    /// A queue of `capacity` slots, a power of two, at least 2. Model checkers use small queues.
    public LocalRunQueue(int capacity) {
        if (capacity < 2 || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity must be a power of two, at least 2, not " + capacity);
        }
        slots = new Runnable[capacity];
        mask = capacity - 1;
    }

    /// Where a [#put] into a full ring leaves the older half of it.
    ///
    /// All methods are called by the owner, inside `put`.
    public interface Overflow {
        /// An empty chunk with room for half the queue and one more entry. Called before `put` changes any
        /// state, so this method may fail safely.
        ///
        /// @throws OutOfMemoryError if no chunk is available; `put` rethrows it and has changed nothing
        RunBatch reserve();

        /// Returns an empty chunk that was not needed after all. Must not throw.
        void release(RunBatch batch);

        /// Takes the spilled entries, oldest first, the entry being put last, for the tail of the global queue.
        /// Must not throw: the entries are held nowhere else.
        void accept(RunBatch batch);
    }

    // ---- producing: owner only

    /// Queues `entry`. If `next`, the entry goes into `runNext`, and the former occupant moves to the tail of the
    /// ring; otherwise the entry itself goes to the tail. If the ring is full, its older half and the entry for the
    /// tail are spilled to `overflow`.
    ///
    /// All or nothing: if `overflow` cannot reserve memory, nothing has changed. Go: runqput, runqputslow
    /// (proc.go). Owner only.
    public void put(Runnable entry, boolean next, Overflow overflow) {
        Objects.requireNonNull(entry);
        RunBatch reserved = null;
        int head = headAcquire(); // acquire: consumers have read the slot that putTail will write
        boolean isFull = tail - head == slots.length;
        if (isFull && !(next && peekNext() == null)) { // only the owner fills runNext: null stays null
            reserved = overflow.reserve();
            if (!reserved.isEmpty() || reserved.remaining() < RunBatch.capacityFor(slots.length)) {
                throw new IllegalStateException("a spill needs an empty chunk of " + RunBatch.capacityFor(slots.length)
                        + ", got one with " + reserved.size() + " entries and room for " + reserved.remaining());
            }
        }
        Runnable carried = entry;
        try {
            if (next) {
                carried = swapNext(entry);
            }
            if (carried == null) {
                if (reserved != null) {
                    overflow.release(reserved); // a thief emptied runNext meanwhile
                }
            } else if (reserved == null) {
                putTail(carried, head); // there was room, and only the owner fills the ring
            } else {
                putSlow(carried, reserved, overflow);
            }
        } catch (Throwable e) {
            stranded = carried; // no call here: this may be a stack overflow
            throw e;
        }
    }

    /// Go: runqputslow and the retry loop of runqput (proc.go).
    private void putSlow(Runnable entry, RunBatch reserved, Overflow overflow) {
        for (; ; ) {
            int head = headAcquire(); // acquire: consumers have read the slots that putTail will write
            if (tail - head < slots.length) {
                putTail(entry, head); // consumers made room meanwhile
                overflow.release(reserved);
                return;
            }
            int half = slots.length / 2;
            reserved.addAll(slots, head, half);
            if (casHead(head, head + half)) {
                reserved.add(entry);
                overflow.accept(reserved);
                return;
            }
            reserved.truncate(0);
        }
    }

    private void putTail(Runnable entry, int head) {
        int tail = this.tail; // plain: owner is the only writer
        clearTo(head);
        slots[tail & mask] = entry;
        TAIL.setRelease(this, tail + 1); // release: pairs with stealFrom's acquire, publishes the slot
    }

    /// Moves as many entries as fit from the front of `batch` to the tail of the ring, and publishes them with one
    /// store. The rest stays in `batch`. Returns the number moved. Go: runqputbatch (proc.go). Owner only.
    public int putBatch(RunBatch batch) {
        int tail = this.tail; // plain: owner is the only writer
        int head = headAcquire(); // acquire: consumers have read the slots written below
        clearTo(head);
        int moved = Math.min(batch.size(), slots.length - (tail - head));
        batch.pollAll(slots, tail, moved);
        if (moved != 0) {
            TAIL.setRelease(this, tail + moved); // release: publishes all slots
        }
        return moved;
    }

    /// Puts `entry` (null to empty it) into `runNext` and returns the former occupant, or null. Owner only.
    public @Nullable Runnable swapNext(@Nullable Runnable entry) {
        return (Runnable) RUN_NEXT.getAndSet(this, entry);
    }

    /// Whether the ring is full, so that a put at its tail would spill. If false, the next put cannot overflow:
    /// no other thread adds entries. Owner only.
    public boolean isFull() {
        return tail - headAcquire() == slots.length; // acquire: the put that relies on this overwrites a consumed slot
    }

    // ---- consuming: owner only

    /// Takes `runNext`, or else the head of the ring, or returns null. Go: runqget (proc.go), whose
    /// `inheritTime` is true exactly if [#takeNext] would have returned it. Owner only.
    public @Nullable Runnable get() {
        var next = takeNext();
        return next != null ? next : takeHead();
    }

    /// Takes `runNext`, or returns null. One attempt is enough: if the CAS fails, a thief took the entry, and only
    /// the owner could put another one there. Owner only.
    public @Nullable Runnable takeNext() {
        var next = peekNext();
        return next != null && casNext(next) ? next : null;
    }

    /// Takes the oldest entry of the ring, or returns null if there is none. Owner only.
    public @Nullable Runnable takeHead() {
        for (; ; ) {
            int head = headAcquire();
            if (head == tail) { // plain: owner is the only writer
                return null;
            }
            var entry = slots[head & mask];
            if (casHead(head, head + 1)) {
                clearTo(head + 1);
                return entry;
            }
        }
    }

    /// Takes `runNext` if it is `expected`. Owner only.
    public boolean takeNextIf(Runnable expected) {
        return casNext(expected);
    }

    /// Takes the oldest entry of the ring if it is `expected`. Also returns false if a thief interferes: the caller
    /// must check again. Owner only.
    public boolean takeHeadIf(Runnable expected) {
        int head = headAcquire();
        if (head == tail || slots[head & mask] != expected || !casHead(head, head + 1)) {
            return false;
        }
        clearTo(head + 1);
        return true;
    }

    /// What [#takeNext] would return now, or null. A thief may take it at any time. Owner only.
    public @Nullable Runnable peekNext() {
        return (Runnable) RUN_NEXT.getAcquire(this);
    }

    /// What [#takeHead] would return now, or null. A thief may take it at any time. Owner only.
    public @Nullable Runnable peekHead() {
        int head = headAcquire();
        return head == tail ? null : slots[head & mask];
    }

    /// Moves as many entries as fit to the end of `chunk`: `runNext` first, then the ring in order. Clears the
    /// slots. Returns the number moved. Go: runqdrain (proc.go), which needs no memory. Owner only.
    public int drainInto(RunBatch chunk) {
        int before = chunk.size();
        var next = chunk.isFull() ? null : swapNext(null);
        if (next != null) {
            chunk.add(next);
        }
        int withNext = chunk.size();
        for (; ; ) {
            int head = headAcquire();
            int moved = Math.min(tail - head, chunk.remaining());
            chunk.addAll(slots, head, moved);
            if (casHead(head, head + moved)) {
                clearTo(head + moved);
                return chunk.size() - before;
            }
            chunk.truncate(withNext);
        }
    }

    // ---- stealing: the owner of this queue takes from another

    /// Moves a batch of the oldest entries of `victim` here and returns the youngest of them, which is not
    /// queued. Returns null if there was nothing to take. `policy` decides how many entries to take. If
    /// `victim`'s ring is empty and `includeRunNext` is true, takes its `runNext`. The caller decides whether
    /// the victim's owner has had its chance to run that entry (F31, N13).
    ///
    /// Go: runqsteal, runqgrab (proc.go). Owner only (of this queue); `victim` may be anyone's.
    ///
    /// @throws IllegalStateException if this ring is full: a processor that has work does not steal
    public @Nullable Runnable stealFrom(LocalRunQueue victim, StealRule policy, boolean includeRunNext) {
        int tail = this.tail; // plain: owner is the only writer
        int head = headAcquire(); // acquire: consumers have read the slots written below
        int room = slots.length - (tail - head);
        if (victim == this) {
            throw new IllegalArgumentException("a queue cannot steal from itself");
        }
        if (room == 0) {
            throw new IllegalStateException("thief's queue is full");
        }
        clearTo(head);
        int limit = Math.min(room, Math.min(slots.length, victim.slots.length) / 2);
        int copied = 0; // slots from tail on that may hold copies
        for (; ; ) {
            int victimHead = victim.headAcquire(); // acquire: before the tail, so that the difference is not negative
            int available = victim.tailAcquire() - victimHead; // acquire: pairs with put's release
            if (available > victim.slots.length) {
                continue; // head moved between the two reads
            }
            if (available == 0) {
                var next = includeRunNext ? victim.peekNext() : null;
                if (next == null || victim.casNext(next)) {
                    clearRange(tail, tail + copied);
                    return next;
                }
                continue; // its owner took or displaced it
            }
            int batch = Math.min(policy.batch(available, victim.slots.length), limit);
            if (batch <= 0) {
                clearRange(tail, tail + copied);
                return null;
            }
            for (int i = 0; i < batch; i++) {
                slots[(tail + i) & mask] = victim.slots[(victimHead + i) & victim.mask];
            }
            copied = Math.max(copied, batch);
            if (victim.casHead(victimHead, victimHead + batch)) { // commits the copies
                int rest = batch - 1;
                var youngest = slots[(tail + rest) & mask];
                clearRange(tail + rest, tail + copied);
                if (rest != 0) {
                    TAIL.setRelease(this, tail + rest); // release: publishes the copies
                }
                return youngest;
            }
        }
    }

    // ---- inspecting

    /// Whether there was a moment during the call at which nothing was queued. Never true while an entry merely
    /// moves from `runNext` to the ring. Go: runqempty (proc.go). Any thread.
    public boolean isEmpty() {
        for (; ; ) {
            // volatile, not acquire: N1's scan must not be satisfied before the caller's earlier decrement
            int head = (int) HEAD.getVolatile(this);
            int tail = (int) TAIL.getVolatile(this);
            var next = (Runnable) RUN_NEXT.getVolatile(this);
            if (tail == (int) TAIL.getVolatile(this)) {
                return head == tail && next == null;
            }
        }
    }

    /// Entries in the ring, without `runNext`. Racy. Any thread.
    public int size() {
        int head = headAcquire();
        return Math.min(tailAcquire() - head, slots.length); // head first: never negative
    }

    /// Whether `runNext` is occupied. Racy. Any thread.
    public boolean hasNext() {
        return peekNext() != null;
    }

    /// Slots of the ring.
    public int capacity() {
        return slots.length;
    }

    // ---- clearing

    /// Drops the references to entries that were taken from the ring. The owner calls it before the processor goes
    /// idle, because no later put or take would clear them. Owner only.
    public void clearDead() {
        clearTo(headAcquire()); // acquire: consumers have read the slots
    }

    private void clearTo(int head) {
        int index = cleared;
        if (index != head) {
            clearRange(index, head);
            cleared = head;
        }
    }

    private void clearRange(int from, int to) {
        for (int i = from; i != to; i++) {
            slots[i & mask] = null;
        }
    }

    private int headAcquire() {
        return (int) HEAD.getAcquire(this);
    }

    private boolean casHead(int expect, int update) {
        return HEAD.compareAndSet(this, expect, update);
    }

    private int tailAcquire() {
        return (int) TAIL.getAcquire(this);
    }

    private boolean casNext(Runnable expect) {
        return RUN_NEXT.compareAndSet(this, expect, (Runnable) null);
    }
}
