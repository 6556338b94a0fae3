package dev.heddle.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A processor's timers: a 4-ary heap with lazy deletion, and in front of it an inbox that anyone may push to.
///
/// No thread waits for another here, except in the transfer of a closed heap. Pushing and cancelling are lock-free. A
/// thread that finds the heap's lock taken skips the heap, because the lock's holder is running its timers (N17). The
/// heap only hands out due entries; the caller fires them, outside the lock.
///
/// Go: `timers` (time.go).
public final class TimerHeap {
    /*
     * Shape.      inbox: stack of pushed entries, linked by next, or CLOSED.   backlog: taken from the inbox, not yet
     *             in the heap.   heap: the arrays of the 4-ary heap, see FourAryHeap.
     *
     *                push (anyone)              drain (lock)                takeDue (lock)
     *             ------------------> inbox ------------------> heap ------------------------> out, fired unlocked
     *                lowers inboxMin          drops cancelled         drops cancelled
     *
     * Invariants. (I1) min(inboxMin, heapMin), read in this order, is not later than any entry whose push has
     *                  returned and that was not handed out, cancelled or moved. It may be earlier: a reader then
     *                  checks the heap once and finds nothing due.
     *             (I2) heapMin <= when of every entry in the heap; heapMin or inboxMin <= that of every one in the
     *                  backlog;
     *             (I3) zombies = cancelled entries in the heap, give or take cancels under way;
     *             (I4) once CLOSED, the inbox accepts nothing any more;
     *             (I5) a minimum of Long.MAX_VALUE means that there is no entry. TimerEntry's constructor keeps every
     *                  `when` below it, also that of a timeout of Long.MAX_VALUE.
     * Who writes. inbox: anyone, by CAS.  inboxMin: anyone lowers it, the lock's holder resets it, by CAS.
     *             zombies: anyone.  heapMin, heap, backlog: the lock's holder.
     * Orderings.  push: CAS inbox, then lower inboxMin (CAS).  drain: heapMin = min(heapMin, inboxMin), then CAS
     *             inboxMin -> MAX from exactly that value, then take the inbox. So an entry whose minimum was reset
     *             is in the chain taken, and at no time do both minima miss it. If a pusher lowers inboxMin between
     *             reset and taking, and its entry is taken, inboxMin stays too early: harmless (I1).
     *             inboxMin and heapMin are volatile: a machine reads nextWhen after it has decremented the spinning
     *             count (N1). push ends with a CAS or a volatile read; a pusher that then checks for sleeping machines
     *             adds the fence of N1.
     *             lock: CAS to take, release store to free: guards heap and backlog.
     * Progress.   push: lock-free.  nextWhen, cancel (of the heap's part): wait-free.  takeDue, hasPending: return at
     *             once if busy; at most out.length pops, MAX_DRAIN insertions and, amortised, one sweep under the lock.
     * Failure.    If the arrays cannot grow, entries wait in the backlog; due ones are handed out from there. Nothing
     *             is lost and nothing thrown.
     * Rejected.   A lock in push: its holder may be descheduled while every timed park waits (N17).
     *             A timing wheel: coarse, or more memory per sleeping thread; a 4-ary heap handles a million entries.
     *             Callbacks under the lock: they call back into the heap.
     * Sources.    Go 1.27 time.go (timers.check, siftUp, siftDown, cleanHead, zombies over 1/4; F77-F79); N1, N17, N18.
     *             Checked by TimerHeapTest, TimerHeapPropertyTest, TimerHeapStressTest, and in jcstress/ by
     *             TimerPushVsNextWhen, TimerPushVsDrain, TimerPushVsHasPending, CancelVsDrain.
     */

    /// The outcome of a [#push].
    public enum Push {
        /// Queued, and another entry is due earlier: no machine needs to be woken.
        QUEUED,
        /// Queued as the earliest entry: a machine that sleeps until the next timer must be woken.
        EARLIEST,
        /// Not queued, the heap is closed: push it elsewhere.
        CLOSED
    }

    private static final @Nullable TimerEntry[] NOTHING_DUE = {};
    private static final int INITIAL_CAPACITY = 16;

    /// Pushes after which the inbox is drained although nothing is due: enough that most timeouts are cancelled
    /// before they reach the heap, few enough to bound the number of cancelled entries.
    static final int CROWDED = 512; // a guess, unmeasured

    /// Insertions per check, so that a flood of pushes does not keep a processor in the kernel.
    static final int MAX_DRAIN = 4096; // a guess: well below a millisecond

    private static final TimerEntry CLOSED = new TimerEntry(Long.MAX_VALUE, new Runnable() {
        @Override
        public void run() {
            // a mark, never fired
        }
    });

    private static final VarHandle INBOX;
    private static final VarHandle INBOX_MIN;
    private static final VarHandle LOCK;
    private static final VarHandle BACKLOG_SIZE;

    static {
        try {
            var lookup = MethodHandles.lookup();
            INBOX = lookup.findVarHandle(TimerHeap.class, "inbox", TimerEntry.class);
            INBOX_MIN = lookup.findVarHandle(TimerHeap.class, "inboxMin", long.class);
            LOCK = lookup.findVarHandle(TimerHeap.class, "lock", int.class);
            BACKLOG_SIZE = lookup.findVarHandle(TimerHeap.class, "backlogSize", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable TimerEntry inbox;
    private volatile long inboxMin = Long.MAX_VALUE;
    private volatile long heapMin = Long.MAX_VALUE; // written by the lock's holder

    /// No VarHandle: a timer is cancelled while its thread is between two states, and the first call of a VarHandle
    /// needs memory. On a full heap the thread would be lost.
    private final AtomicInteger zombies = new AtomicInteger();

    @SuppressWarnings("UnusedVariable") // accessed through LOCK; 0 free, 1 held
    private volatile int lock;

    private final FourAryHeap heap;
    private @Nullable TimerEntry backlog;
    private int backlogSize;
    private long backlogMin = Long.MAX_VALUE; // not later than any entry of the backlog

    /// An empty, open heap.
    public TimerHeap() {
        this(INITIAL_CAPACITY, FourAryHeap.ON_HEAP);
    }

    TimerHeap(int initialCapacity, FourAryHeap.Allocator allocator) {
        heap = new FourAryHeap(initialCapacity, allocator);
    }

    /// Adds `entry`, which must be new. Lock-free, allocates nothing. Any thread.
    public Push push(TimerEntry entry) {
        return pushChain(entry, entry, 1, entry.when);
    }

    /// Pushes `count` entries linked from `top` to `bottom`.
    private Push pushChain(TimerEntry top, TimerEntry bottom, int count, long min) {
        for (; ; ) {
            var old = inbox;
            if (old == CLOSED) {
                return Push.CLOSED;
            }
            bottom.next = old;
            top.depth = count + depth(old);
            if (INBOX.compareAndSet(this, old, top)) {
                break;
            }
        }
        for (; ; ) { // after the entry is in: a drain that resets this minimum finds the entry
            long old = inboxMin;
            if (old <= min) {
                return Push.QUEUED;
            }
            if (INBOX_MIN.compareAndSet(this, old, min)) {
                return min < heapMin ? Push.EARLIEST : Push.QUEUED;
            }
        }
    }

    /// When the earliest entry becomes due, [Long#MAX_VALUE] if there is none. Never later than an entry whose
    /// push has returned; may be earlier, if that one was cancelled. Any thread.
    public long nextWhen() {
        long pushed = inboxMin; // volatile and first: a drain lowers heapMin before it resets inboxMin
        return Math.min(pushed, heapMin);
    }

    /// Whether a [#takeDue] would have work to do: an entry is due, the inbox is crowded, or there are too many
    /// zombies. Any thread.
    public boolean hasWork(long now) {
        return nextWhen() <= now || isCrowded() || hasTooManyZombies();
    }

    /// Whether there is any entry that can still be fired. Unlike [#nextWhen], cancelled entries do not count,
    /// except if the heap is busy. Removes cancelled entries until it finds a live one. Hands out nothing:
    /// entries that become due meanwhile stay, and [#nextWhen] reports them. Any thread.
    public boolean hasPending() {
        if (nextWhen() == Long.MAX_VALUE) {
            return false;
        }
        if (!tryLock()) {
            return true;
        }
        try {
            removeCancelledFirst();
            if (heap.size() == 0) {
                takeInbox();
                keepPending();
            }
            updateHeapMin();
            return heap.size() != 0 || backlog != null;
        } finally {
            LOCK.setRelease(this, 0);
        }
    }

    /// Moves entries due at `now` to `out` and returns their number, at most `out.length`; the caller then
    /// calls [TimerEntry#fire] on each. Also maintains the heap. Returns 0 at once if another thread holds the
    /// heap's lock. The earliest entries come first, with one exception: after a flood of pushes each call
    /// sorts in only a limited number of them.
    ///
    /// Go: timers.check, timers.run, timers.cleanHead (time.go). Any thread.
    public int takeDue(long now, @Nullable TimerEntry[] out) {
        if (!hasWork(now) || !tryLock()) {
            return 0;
        }
        try {
            if (inboxMin <= now || isCrowded()) {
                takeInbox();
            }
            int taken = drainBacklog(now, out);
            if (hasTooManyZombies()) {
                zombies.getAndAdd(-heap.sweep());
            }
            while (heap.size() != 0) {
                var first = heap.first();
                boolean isDue = heap.firstWhen() <= now && taken < out.length;
                if (!isDue && !first.isCancelled()) {
                    break;
                }
                heap.removeFirst();
                if (!first.moveFromHeapToDue()) {
                    zombies.getAndDecrement();
                } else {
                    out[taken++] = first;
                }
            }
            updateHeapMin();
            return taken;
        } finally {
            LOCK.setRelease(this, 0);
        }
    }

    /// Closes the heap and moves its entries to the inbox of `other`, which must be open and stay so. Returns
    /// whether one of them is now the earliest there. Spins briefly for the lock: the world is stopped, so the
    /// lock's holder is about to leave the kernel. Allocates nothing.
    /// Go: timers.take (time.go).
    public boolean closeAndMoveTo(TimerHeap other) {
        if (other == this) {
            throw new IllegalArgumentException("timers must move to another heap");
        }
        while (!tryLock()) {
            Thread.onSpinWait();
        }
        try {
            var rest = (TimerEntry) INBOX.getAndSet(this, CLOSED);
            if (rest != null && rest != CLOSED) {
                addToBacklog(rest);
            }
            for (int i = 0; i < heap.size(); i++) {
                var entry = heap.takeAt(i);
                if (entry.moveBackToInbox()) {
                    entry.next = null;
                    entry.depth = 1;
                    addToBacklog(entry);
                } else {
                    zombies.getAndDecrement();
                }
            }
            heap.clear();
            boolean isEarliest = moveBacklogTo(other);
            inboxMin = Long.MAX_VALUE; // a push that got in before CLOSED may still lower it: too early is harmless
            updateHeapMin();
            return isEarliest;
        } finally {
            LOCK.setRelease(this, 0);
        }
    }

    /// Number of entries held, including cancelled ones that have not been removed yet. Racy. Any thread.
    public int size() {
        return heap.sizeOpaque() + (int) BACKLOG_SIZE.getOpaque(this) + depth(inbox);
    }

    /// Called by an entry that was cancelled while in the heap.
    void countZombie() {
        zombies.getAndIncrement();
    }

    private boolean tryLock() {
        return LOCK.compareAndSet(this, 0, 1);
    }

    private boolean isCrowded() {
        return depth(inbox) >= CROWDED;
    }

    private boolean hasTooManyZombies() {
        int cancelled = zombies.get();
        return cancelled > 0 && cancelled > heap.sizeOpaque() / 4; // a quarter: as in Go
    }

    private static int depth(@Nullable TimerEntry top) {
        return top == null ? 0 : top.depth; // published by the CAS on the inbox
    }

    // ---- all below: holds the lock

    private void takeInbox() {
        long min = inboxMin;
        while (min != Long.MAX_VALUE) {
            backlogMin = Math.min(backlogMin, min);
            if (min < heapMin) {
                heapMin = min; // before the reset: at no time do both minima miss an entry
            }
            if (INBOX_MIN.compareAndSet(this, min, Long.MAX_VALUE)) {
                break;
            }
            min = inboxMin; // lowered meanwhile
        }
        for (; ; ) {
            var top = inbox;
            if (top == null || top == CLOSED) {
                return;
            }
            if (INBOX.compareAndSet(this, top, (TimerEntry) null)) {
                addToBacklog(top);
                return;
            }
        }
    }

    private void addToBacklog(TimerEntry top) {
        backlogSize += top.depth;
        if (backlog != null) {
            var bottom = top;
            while (bottom.next != null) {
                bottom = bottom.next;
            }
            bottom.next = backlog;
        }
        backlog = top;
    }

    /// Moves the backlog into the heap, or part of it if it is long. If the arrays cannot grow, hands out the due
    /// entries and keeps the rest. Returns the number handed out.
    private int drainBacklog(long now, @Nullable TimerEntry[] out) {
        for (int i = 0; i < MAX_DRAIN && backlog != null; i++) {
            if (!heap.tryMakeRoom()) {
                return drainWithoutRoom(now, out);
            }
            var entry = backlog;
            backlog = entry.next;
            backlogSize--;
            entry.next = null;
            if (entry.moveToHeap(this)) {
                heap.insert(entry);
            }
        }
        if (backlog == null) {
            backlogMin = Long.MAX_VALUE;
        }
        return 0;
    }

    /// Removes cancelled entries from the head of the heap.
    /// Go: timers.cleanHead (time.go).
    private void removeCancelledFirst() {
        while (heap.size() != 0 && heap.first().isCancelled()) {
            heap.removeFirst();
            zombies.getAndDecrement();
        }
    }

    /// Removes cancelled entries from the backlog.
    private void keepPending() {
        drainWithoutRoom(Long.MIN_VALUE, NOTHING_DUE);
    }

    private int drainWithoutRoom(long now, @Nullable TimerEntry[] out) {
        int taken = 0;
        TimerEntry kept = null;
        int keptSize = 0;
        long min = Long.MAX_VALUE;
        for (var entry = backlog; entry != null; ) {
            var next = entry.next;
            entry.next = null;
            if (entry.when <= now && taken < out.length) {
                if (entry.moveFromInboxToDue()) {
                    out[taken++] = entry;
                }
            } else if (!entry.isCancelled()) {
                entry.next = kept;
                kept = entry;
                keptSize++;
                min = Math.min(min, entry.when);
            }
            entry = next;
        }
        backlog = kept;
        backlogSize = keptSize;
        backlogMin = min;
        return taken;
    }

    private boolean moveBacklogTo(TimerHeap other) {
        var top = backlog;
        if (top == null) {
            return false;
        }
        var bottom = top;
        int count = 1;
        long min = top.when;
        for (; bottom.next != null; count++) {
            bottom = bottom.next;
            min = Math.min(min, bottom.when);
        }
        var pushed = other.pushChain(top, bottom, count, min);
        if (pushed == Push.CLOSED) {
            bottom.next = null;
            backlogMin = min;
            throw new IllegalStateException("timers must move to an open heap; they were kept");
        }
        backlog = null;
        backlogSize = 0;
        backlogMin = Long.MAX_VALUE;
        return pushed == Push.EARLIEST;
    }

    private void updateHeapMin() {
        long min = Math.min(heap.firstWhen(), backlogMin);
        if (heapMin != min) {
            heapMin = min;
        }
    }
}
