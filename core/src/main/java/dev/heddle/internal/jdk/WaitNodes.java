package dev.heddle.internal.jdk;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import org.jspecify.annotations.Nullable;

/// Tells the waits of a thread apart: the JDK makes a node for each wait at a condition or a transfer queue. A thread
/// with the same node as before has not been woken since.
public final class WaitNodes {

    private static final Class<?> CONDITION = AbstractQueuedSynchronizer.ConditionObject.class;
    private static final Class<?> NODE = Jdk.classNamed("java.util.concurrent.locks.AbstractQueuedSynchronizer$Node");
    private static final Class<?> CONDITION_NODE =
            Jdk.classNamed("java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionNode");
    private static final Class<?> TRANSFER_NODE = Jdk.classNamed("java.util.concurrent.LinkedTransferQueue$DualNode");

    /// Longest list that is followed. It may change while we follow it, so it could even seem endless.
    private static final int LONGEST = 5_000;

    private WaitNodes() {}

    /// Whether [#of] knows the waiters of this object, on which a thread is parked.
    public static boolean isKnown(Object blocker) {
        return blocker.getClass() == CONDITION || blocker instanceof LinkedTransferQueue<?>;
    }

    /// The waiting threads, each with a number for its wait. Racy: threads that come or go meanwhile may be missing.
    public static Map<Thread, Integer> of(Object blocker) {
        return blocker.getClass() == CONDITION
                ? waiters(
                        ObjectFields.referenceOf(blocker, CONDITION, "firstWaiter"),
                        CONDITION_NODE,
                        "nextWaiter",
                        NODE)
                : waiters(
                        ObjectFields.referenceOf(blocker, LinkedTransferQueue.class, "head"),
                        TRANSFER_NODE,
                        "next",
                        TRANSFER_NODE);
    }

    private static Map<Thread, Integer> waiters(
            @Nullable Object first, Class<?> linked, String next, Class<?> withWaiter) {
        Map<Thread, Integer> found = new HashMap<>();
        Object node = first;
        for (int left = LONGEST; node != null && left > 0; left--) {
            if (ObjectFields.referenceOf(node, withWaiter, "waiter") instanceof Thread thread) {
                found.put(thread, System.identityHashCode(node));
            }
            node = ObjectFields.referenceOf(node, linked, next);
        }
        return found;
    }
}
