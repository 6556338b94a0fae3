package dev.heddle.internal.jdk;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedTransferQueue;

/// Tells the waits of threads at a `SynchronousQueue` or `LinkedTransferQueue` apart: the JDK makes a node for each
/// wait, so a thread with the same node as before has not been woken since.
public final class TransferQueues {

    private static final Class<?> NODE = Jdk.classNamed("java.util.concurrent.LinkedTransferQueue$DualNode");

    /// Longest list that is followed. It changes while we follow it, so it could even seem endless.
    private static final int LONGEST = 1_000;

    private TransferQueues() {}

    /// The threads that wait at such a queue, on which one of them is parked, each with a number for its wait.
    /// Racy: threads that come or go meanwhile may be missing.
    public static Map<Thread, Integer> waitsAt(LinkedTransferQueue<?> blocker) {
        Map<Thread, Integer> found = new HashMap<>();
        Object node = ObjectFields.referenceOf(blocker, LinkedTransferQueue.class, "head");
        for (int left = LONGEST; node != null && left > 0; left--) {
            if (ObjectFields.referenceOf(node, NODE, "waiter") instanceof Thread thread) {
                found.put(thread, System.identityHashCode(node));
            }
            node = ObjectFields.referenceOf(node, NODE, "next");
        }
        return found;
    }
}
