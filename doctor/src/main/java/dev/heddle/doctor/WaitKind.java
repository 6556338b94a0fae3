package dev.heddle.doctor;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A way in which a thread waits for what another thread has to do: methods that wait, and methods that end it.
enum WaitKind {
    LATCH("java.util.concurrent.CountDownLatch", Set.of("await"), Set.of("countDown")),
    BARRIER("java.util.concurrent.CyclicBarrier", Set.of("await"), Set.of("await", "reset")),
    PHASER(
            "java.util.concurrent.Phaser",
            Set.of("arriveAndAwaitAdvance", "awaitAdvance", "awaitAdvanceInterruptibly"),
            Set.of("arrive", "arriveAndAwaitAdvance", "arriveAndDeregister", "forceTermination")),
    EXCHANGER("java.util.concurrent.Exchanger", Set.of("exchange"), Set.of("exchange")),
    SEMAPHORE(
            "java.util.concurrent.Semaphore",
            Set.of("acquire", "acquireUninterruptibly"),
            Set.of("release", "drainPermits")),
    FUTURE(
            "java.util.concurrent.CompletableFuture",
            Set.of("get", "join"),
            Set.of("complete", "completeExceptionally", "cancel", "obtrudeValue", "obtrudeException")),
    MONITOR("java.lang.Object", Set.of("wait"), Set.of("notify", "notifyAll")),
    CONDITION(
            "java.util.concurrent.locks.Condition",
            Set.of("await", "awaitUninterruptibly"),
            Set.of("signal", "signalAll")),
    PARK("java.util.concurrent.locks.LockSupport", Set.of("park"), Set.of("unpark")),
    RECEIVE("dev.heddle.Chan", Set.of("receive"), Set.of("send", "trySend", "close", "select")),
    SEND("dev.heddle.Chan", Set.of("send"), Set.of("receive", "tryReceive", "iterator", "forEach", "select")),
    GROUP("dev.heddle.WaitGroup", Set.of("await"), Set.of("done", "go")),
    PUT(
            Names.QUEUE,
            Set.of("put", "putFirst", "putLast", "transfer"),
            Set.of(
                    "take",
                    "takeFirst",
                    "takeLast",
                    "poll",
                    "pollFirst",
                    "pollLast",
                    "remove",
                    "removeFirst",
                    "removeLast",
                    "drainTo",
                    "clear",
                    "removeIf")),
    TAKE(
            Names.QUEUE,
            Set.of("take", "takeFirst", "takeLast"),
            Set.of(
                    "put",
                    "putFirst",
                    "putLast",
                    "offer",
                    "offerFirst",
                    "offerLast",
                    "add",
                    "addFirst",
                    "addLast",
                    "addAll",
                    "push",
                    "transfer",
                    "tryTransfer"));

    private static final class Names {
        /// Any queue of the JDK.
        static final String QUEUE = "java.util.Queue";
    }

    private final String className;
    private final Set<String> waits;
    private final Set<String> ends;

    WaitKind(String className, Set<String> waits, Set<String> ends) {
        this.className = className;
        this.waits = waits;
        this.ends = ends;
    }

    /// The kind of a wait into which the program's own code has called; empty if it is another one, or if the
    /// call is in a library.
    static Optional<WaitKind> of(GoroutineSample waiter) {
        List<Frame> frames = waiter.frames();
        for (int i = 1; i < frames.size(); i++) {
            if (frames.get(i).isUsers()) {
                Frame called = frames.get(i - 1);
                for (WaitKind kind : values()) {
                    if (kind.isOf(called.className()) && kind.waits.contains(called.method())) {
                        return Optional.of(kind);
                    }
                }
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /// Whether the call waits in this way.
    boolean isWait(Use use) {
        return isOf(use.call().owner()) && waits.contains(use.call().method());
    }

    /// Whether the call ends such a wait.
    boolean isEnd(Use use) {
        boolean anyOwner = this == MONITOR; // notify is called on objects of every class
        return (anyOwner || isOf(use.call().owner()))
                && ends.contains(use.call().method());
    }

    /// Whether each waiter waits for the other waiters.
    boolean isMutual() {
        return this == BARRIER || this == PHASER || this == EXCHANGER;
    }

    /// Whether a thread that waits so for ever may be a worker that has nothing to do.
    boolean isForWork() {
        return this == TAKE || this == RECEIVE;
    }

    /// Whether a thread that has waited so holds something afterwards that it gives back by ending others'
    /// waits.
    boolean isPermit() {
        return this == SEMAPHORE || this == TAKE || this == SEND;
    }

    private boolean isOf(String owner) {
        if (className.equals(Names.QUEUE)) {
            return owner.startsWith("java.util.") && (owner.endsWith("Queue") || owner.endsWith("Deque"));
        }
        return owner.equals(className) || (this == CONDITION && owner.endsWith("Synchronizer$ConditionObject"));
    }
}
