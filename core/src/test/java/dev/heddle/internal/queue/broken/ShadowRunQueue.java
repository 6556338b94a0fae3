package dev.heddle.internal.queue.broken;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A copy of the racing parts of `LocalRunQueue`, whose critical steps are methods, so that a mutant differs from it in
/// one step only. It is right as it stands, and checked like the real one; it does not spill and does not clear.
public class ShadowRunQueue implements RacyQueue {
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle RUN_NEXT;

    static {
        try {
            var lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(ShadowRunQueue.class, "head", int.class);
            TAIL = lookup.findVarHandle(ShadowRunQueue.class, "tail", int.class);
            RUN_NEXT = lookup.findVarHandle(ShadowRunQueue.class, "runNext", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final @Nullable Runnable[] slots;
    final int mask;
    int head;
    int tail;

    @Nullable
    Runnable runNext;

    public ShadowRunQueue(int capacity) {
        slots = new Runnable[capacity];
        mask = capacity - 1;
    }

    // ---- the steps that mutants replace

    /// Makes the entry visible at index `tail`.
    void publish(int tail, Runnable entry) {
        slots[tail & mask] = entry;
        TAIL.setRelease(this, tail + 1);
    }

    /// Claims the slots `head .. head + count - 1`.
    boolean advanceHead(int head, int count) {
        return HEAD.compareAndSet(this, head, head + count);
    }

    /// Claims what is in `runNext`.
    boolean claimNext(Runnable expected) {
        return RUN_NEXT.compareAndSet(this, expected, (Runnable) null);
    }

    /// What a thief does to its victim after it has claimed its slots: nothing.
    void afterSteal(int head, int count) {}

    /// Whether the ring has not changed since `tail` was read.
    boolean isStill(int tail) {
        return tail == (int) TAIL.getVolatile(this);
    }

    // ---- the queue

    @Override
    public final boolean put(Runnable entry, boolean next) {
        int tail = this.tail;
        if (tail - (int) HEAD.getAcquire(this) == slots.length) {
            return false;
        }
        var carried = next ? (Runnable) RUN_NEXT.getAndSet(this, entry) : entry;
        if (carried != null) {
            publish(tail, carried);
        }
        return true;
    }

    @Override
    public final @Nullable Runnable get() {
        var next = (Runnable) RUN_NEXT.getAcquire(this);
        if (next != null && claimNext(next)) {
            return next;
        }
        for (; ; ) {
            int head = (int) HEAD.getAcquire(this);
            if (tail - head <= 0) { // below zero only in a broken queue
                return null;
            }
            var entry = slots[head & mask];
            if (advanceHead(head, 1)) {
                return entry;
            }
        }
    }

    @Override
    public final @Nullable Runnable stealFrom(RacyQueue other, boolean includeRunNext) {
        var victim = (ShadowRunQueue) other;
        int tail = this.tail;
        for (int attempts = 0; attempts < 1000; attempts++) { // bounded: in a broken queue it could go on for ever
            int head = (int) HEAD.getAcquire(victim);
            int available = (int) TAIL.getAcquire(victim) - head;
            if (available > victim.slots.length || available < 0) {
                continue;
            }
            if (available == 0) {
                var next = includeRunNext ? (Runnable) RUN_NEXT.getAcquire(victim) : null;
                if (next == null || victim.claimNext(next)) {
                    return next;
                }
                continue;
            }
            int batch = available - available / 2;
            for (int i = 0; i < batch; i++) {
                slots[(tail + i) & mask] = victim.slots[(head + i) & victim.mask];
            }
            if (victim.advanceHead(head, batch)) {
                victim.afterSteal(head, batch);
                TAIL.setRelease(this, tail + batch - 1);
                return slots[(tail + batch - 1) & mask];
            }
        }
        return null;
    }

    @Override
    public final boolean isEmpty() {
        for (; ; ) {
            int head = (int) HEAD.getVolatile(this);
            int tail = (int) TAIL.getVolatile(this);
            var next = (Runnable) RUN_NEXT.getVolatile(this);
            if (isStill(tail)) {
                return head == tail && next == null;
            }
        }
    }

    @Override
    public final List<Runnable> spilled() {
        return List.of();
    }

    // ---- the mutants

    /// Bug 5 of the seed documents: the race of a user-space queue without atomics.
    public static final class NonAtomicSteal extends ShadowRunQueue {
        public NonAtomicSteal(int capacity) {
            super(capacity);
        }

        @Override
        void publish(int tail, Runnable entry) {
            slots[tail & mask] = entry;
            this.tail++;
        }

        @Override
        boolean advanceHead(int head, int count) {
            this.head += count;
            return true;
        }
    }

    /// Indices are published with the right orderings, but head moves by a store.
    public static final class HeadWithoutCas extends ShadowRunQueue {
        public HeadWithoutCas(int capacity) {
            super(capacity);
        }

        @Override
        boolean advanceHead(int head, int count) {
            HEAD.setVolatile(this, head + count);
            return true;
        }
    }

    /// The tail overtakes the slot, as it may when it is not a release. Written in this order, and with a
    /// pause that stands for the delay, because x86 and HotSpot's compilers keep two plain stores in order
    /// and close together.
    public static final class MissingRelease extends ShadowRunQueue {
        public MissingRelease(int capacity) {
            super(capacity);
        }

        @Override
        void publish(int tail, Runnable entry) {
            TAIL.setOpaque(this, tail + 1);
            Thread.onSpinWait();
            slots[tail & mask] = entry;
        }
    }

    /// The obvious way not to leak: the thief nulls what it took (note N4).
    public static final class ThiefClearsSlots extends ShadowRunQueue {
        public ThiefClearsSlots(int capacity) {
            super(capacity);
        }

        @Override
        void afterSteal(int head, int count) {
            for (int i = 0; i < count; i++) {
                slots[(head + i) & mask] = null;
            }
        }
    }

    /// `runNext` is read, then cleared.
    public static final class NonAtomicRunNext extends ShadowRunQueue {
        public NonAtomicRunNext(int capacity) {
            super(capacity);
        }

        @Override
        boolean claimNext(Runnable expected) {
            if (RUN_NEXT.getVolatile(this) != expected) {
                return false;
            }
            RUN_NEXT.setVolatile(this, (Runnable) null);
            return true;
        }
    }

    /// Emptiness is judged without looking at the tail again: an entry on its way from `runNext` to the ring is
    /// overlooked.
    public static final class EmptyWithoutSecondLook extends ShadowRunQueue {
        public EmptyWithoutSecondLook(int capacity) {
            super(capacity);
        }

        @Override
        boolean isStill(int tail) {
            return true;
        }
    }
}
