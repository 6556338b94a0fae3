package dev.heddle;

import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The senders, or the receivers, that wait at a channel: a doubly linked list in order of arrival.
/// Go: waitq (chan.go).
///
/// Everything here happens under the channel's lock, except [#looksEmpty()].
final class WaitQueue {
    private static final VarHandle FIRST = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "first", VarHandle.class, WaitQueue.class, Waiter.class);

    private @Nullable Waiter first;
    private @Nullable Waiter last;

    /// Whether nobody was in the queue at the moment of the look.  Any thread, no lock.
    boolean looksEmpty() {
        return FIRST.getAcquire(this) == null; // acquire: what the caller reads next is not older than this
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

    /// Takes out the first receiver that still waits, and gives it `element`; null if there is none.
    @Nullable
    Waiter handTo(Object element) {
        for (Waiter waiter = first; waiter != null; waiter = first) {
            remove(waiter);
            waiter.element = element; // before the claim: whoever reads the fate may read the element
            if (waiter.claim()) {
                return waiter;
            }
            waiter.element = null;
        }
        return null;
    }

    /// Takes out the first sender that still waits; null if there is none.
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

    /// Takes out everybody who still waits and tells them that the channel is closed. Each is put in front of
    /// `chain`, linked by `next`, so the one who came last is the first of the returned chain.
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

    /// Takes `waiter` out wherever it stands; does nothing if it is not in the queue any more.
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
