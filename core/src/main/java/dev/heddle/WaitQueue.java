package dev.heddle;

import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The senders, or the receivers, that wait on a channel: a doubly linked list in order of arrival. Go: waitq
/// (chan.go).
///
/// Callers hold the channel's lock, except for [#looksEmpty()].
final class WaitQueue {
    private static final VarHandle FIRST = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "first", VarHandle.class, WaitQueue.class, Waiter.class);

    private @Nullable Waiter first;
    private @Nullable Waiter last;

    /// Whether the queue was empty at the moment of the check.  Any thread, no lock.
    boolean looksEmpty() {
        return FIRST.getAcquire(this) == null; // acquire: the caller's next read is not older than this one
    }

    void enqueue(Waiter waiter) {
        Waiter before = last;
        waiter.previous = before;
        waiter.queued = true;
        last = waiter;
        if (before == null) {
            first = waiter;
        } else {
            before.next = waiter;
        }
    }

    /// Dequeues the first receiver that still waits, and gives it `element`; null if there is none.
    @Nullable
    Waiter handTo(Object element) {
        for (Waiter waiter = first; waiter != null; waiter = first) {
            remove(waiter);
            waiter.element = element; // before the claim: a thread that reads the fate may read the element
            if (waiter.claim()) {
                return waiter;
            }
            waiter.element = null;
        }
        return null;
    }

    /// Dequeues the first sender that still waits; null if there is none.
    @Nullable
    Waiter dequeue() {
        for (Waiter waiter = first; waiter != null; waiter = first) {
            remove(waiter);
            if (waiter.claim()) {
                return waiter;
            }
        }
        return null;
    }

    /// Empties the queue and marks the waiters as closed. Puts each one that still waits in front of `chain`,
    /// linked by `next`, so the latest arrival is the first of the returned chain.
    @Nullable
    Waiter closeAll(@Nullable Waiter chain) {
        for (Waiter waiter = first; waiter != null; waiter = first) {
            remove(waiter);
            waiter.closed = true; // before the claim, as above
            if (waiter.claim()) {
                waiter.next = chain;
                chain = waiter;
            }
        }
        return chain;
    }

    /// Removes `waiter` from any position; does nothing if it is not in the queue any more.
    void remove(Waiter waiter) {
        if (!waiter.queued) {
            return;
        }
        Waiter before = waiter.previous;
        Waiter after = waiter.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        waiter.previous = null;
        waiter.next = null;
        waiter.queued = false;
    }
}
