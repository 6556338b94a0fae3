package dev.heddle;

import dev.heddle.internal.kernel.WaitReason;
import dev.heddle.internal.kernel.WaitRecord;
import org.jspecify.annotations.Nullable;

/// The threads that wait for a [WaitGroup], in order of arrival. Each of them may leave at any time, in constant time.
final class WaitList extends ChanLock {
    /*
     * Shape.      A doubly linked list, guarded by the lock of ChanLock.
     * Invariants. (I1) a node is added once, and leaves once: it is taken with all others, or removed by its thread;
     *             (I2) once taken, the links belong to the taker.
     * Who writes. first, last, links, isQueued: the lock's holder.  next of a node that was taken: nobody.
     * Orderings.  first is volatile: isEmpty reads it without the lock. Whoever adds a node and then reads a count, and
     *             whoever changes that count and then calls isEmpty, cannot both miss the other (Dekker).
     * Rejected.   A lock-free stack, as in FutureTask: a waiter that leaves walks along it, so that n waiters whose
     *             time is up take n*n steps.
     */

    private volatile @Nullable Node first;
    private @Nullable Node last;

    /// Whether nobody waited at the moment of the call.  Any thread.
    boolean isEmpty() {
        return first == null;
    }

    /// Adds `node`, which is new.  Any thread.
    void add(Node node) {
        lock();
        try {
            Node before = last;
            node.previous = before;
            node.isQueued = true;
            last = node;
            if (before == null) {
                first = node;
            } else {
                before.next = node;
            }
        } finally {
            unlock();
        }
    }

    /// Takes everybody out; the result is the first, and the others follow by `next`.  Any thread.
    @Nullable
    Node takeAll() {
        lock();
        try {
            Node taken = first;
            for (Node node = taken; node != null; node = node.next) {
                node.isQueued = false;
            }
            first = null;
            last = null;
            return taken;
        } finally {
            unlock();
        }
    }

    /// Takes `node` out, unless it has been taken with the others.  Any thread.
    void remove(Node node) {
        lock();
        try {
            if (node.isQueued) {
                unlink(node);
            }
        } finally {
            unlock();
        }
    }

    private void unlink(Node node) {
        Node before = node.previous;
        Node after = node.next;
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
        node.previous = null;
        node.next = null;
        node.isQueued = false;
    }

    /// One thread that waits.
    static final class Node extends WaitRecord {
        volatile @Nullable Thread thread = Thread.currentThread(); // null: woken

        /// The count at which the releaser saw zero. Written before [#thread].
        long zeroAt;

        private @Nullable Node previous;

        @Nullable
        Node next;

        private boolean isQueued;

        @Override
        public WaitReason waitReason() {
            return WaitReason.WAIT_GROUP_WAIT;
        }
    }
}
