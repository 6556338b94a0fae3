package dev.heddle;

import dev.heddle.internal.event.WaitReason;
import dev.heddle.internal.event.WaitRecord;
import org.jspecify.annotations.Nullable;

/// The threads that wait for a [WaitGroup], in order of arrival. Each may leave at any time, in constant time.
final class WaitList extends ChanLock {
    /*
     * Shape.      A doubly linked list, guarded by the lock of ChanLock.
     * Invariants. (I1) a node is added once and leaves once: takeAll takes it with all others, or its thread removes
     *             it; (I2) after takeAll, the links belong to its caller.
     * Who writes. first, last, links, isQueued: the lock's holder.  next of a node that was taken: no thread.
     * Orderings.  first is volatile: isEmpty reads it without the lock. A waiter adds a node and then reads a count; a
     *             releaser changes that count and then calls isEmpty. They cannot both miss the other (Dekker).
     * Rejected.   A lock-free stack, as in FutureTask: a waiter that leaves has to walk along it, so n waiters that
     *             time out take n*n steps.
     */

    private volatile @Nullable Node first;
    private @Nullable Node last;

    /// Whether the list was empty at the moment of the check.  Any thread, no lock.
    boolean isEmpty() {
        return first == null;
    }

    /// Adds `node`, which must be new.  Any thread.
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

    /// Takes all nodes out. Returns the first, or null; the others follow by `next`.  Any thread.
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

    /// Removes `node`, unless [#takeAll()] has taken it.  Any thread.
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

    /// One waiting thread.
    static final class Node extends WaitRecord {
        volatile @Nullable Thread thread = Thread.currentThread(); // null: released

        /// The value of both counts when the releaser saw zero. Plain: written before the releaser clears
        /// [#thread].
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
