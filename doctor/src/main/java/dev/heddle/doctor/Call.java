package dev.heddle.doctor;

import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.Set;

/// A call in the user's code. Its name tells what it does.
///
/// @param owner      the class it is called on, with package
/// @param method     its name
/// @param descriptor its type, in the JVM's form
record Call(String owner, String method, String descriptor) {

    private static final Set<String> ASKING = Set.of(
            "poll",
            "pollFirst",
            "pollLast",
            "peek",
            "peekFirst",
            "peekLast",
            "isEmpty",
            "tryReceive",
            "trySend",
            "tryLock",
            "tryAcquire",
            "tryRemove",
            "isDone",
            "onSpinWait");

    private static final Set<String> WAITING = Set.of(
            "receive",
            "send",
            "await",
            "acquire",
            "acquireUninterruptibly",
            "take",
            "put",
            "park",
            "parkNanos",
            "parkUntil",
            "sleep",
            "wait",
            "join",
            "lock",
            "lockInterruptibly",
            "get",
            "read",
            "accept",
            "invokeAll",
            "exchange",
            "arriveAndAwaitAdvance",
            "gosched",
            "yield",
            "readLine",
            "write");

    private static final Set<String> STATES = Set.of(
            "getCount",
            "isAlive",
            "isTerminated",
            "isShutdown",
            "isCancelled",
            "isCompletedExceptionally",
            "availablePermits",
            "size",
            "containsKey",
            "exists",
            "available",
            "ready",
            "isLocked",
            "getState",
            "getNow",
            "remainingCapacity");

    private static final Set<String> CHANNELS = Set.of("tryReceive", "trySend", "poll", "select");

    /// A call in a class file.
    static Call of(InvokeInstruction invoke) {
        return new Call(
                invoke.owner().asInternalName().replace('/', '.'),
                invoke.name().stringValue(),
                invoke.type().stringValue());
    }

    /// The call that a lambda or a method reference makes.
    static Call of(DirectMethodHandleDesc handle) {
        String owner = handle.owner().descriptorString();
        return new Call(
                owner.substring(1, owner.length() - 1).replace('/', '.'),
                handle.methodName(),
                handle.lookupDescriptor());
    }

    /// Whether the call polls: it returns at once whether it finds something or not.
    boolean asks() {
        return isLibrary() && ASKING.contains(method) && !isTimed();
    }

    /// Whether the call waits or yields, or may do so. True when in doubt: a loop that may wait is not
    /// reported.
    boolean mayWait() {
        if (!isLibrary()) {
            return false;
        }
        boolean plainGet = method.equals("get") && !owner.contains("Future"); // of a list, map or atomic
        boolean collections = owner.startsWith("java.util.") && !owner.startsWith("java.util.concurrent.");
        return isTimed()
                || method.equals("select")
                || (WAITING.contains(method) && !plainGet && !collections)
                || owner.startsWith("java.io.")
                || owner.startsWith("java.net.")
                || owner.startsWith("java.nio.channels.");
    }

    /// Whether the call passes a fixed time.
    boolean sleeps() {
        return (owner.equals("java.lang.Thread") && method.equals("sleep"))
                || (owner.equals("java.util.concurrent.TimeUnit") && method.equals("sleep"))
                || (owner.equals("java.util.concurrent.locks.LockSupport") && method.equals("parkNanos"));
    }

    /// Whether the call only lets others run.
    boolean yields() {
        return (owner.equals("java.lang.Thread") && (method.equals("yield") || method.equals("onSpinWait")))
                || (owner.equals("dev.heddle.Go") && method.equals("gosched"));
    }

    /// Whether the call asks for a state that another thread changes. By itself it is no sign of polling: a
    /// loop may end by it.
    boolean asksState() {
        return isLibrary()
                && (asks()
                        || STATES.contains(method)
                        || (owner.startsWith("java.util.concurrent.atomic.") && method.startsWith("get"))
                        || (owner.equals("java.util.concurrent.atomic.AtomicBoolean")
                                && method.equals("compareAndSet")));
    }

    /// Whether the call has no effect of its own: it tells the time, or boxes a value.
    boolean isNeutral() {
        return owner.equals("java.lang.System")
                || owner.equals("java.time.Duration")
                || owner.equals("java.lang.Boolean")
                || owner.equals("java.lang.Integer")
                || owner.equals("java.lang.Long")
                || owner.equals("java.util.concurrent.TimeUnit")
                || method.equals("interrupted")
                || method.equals("isInterrupted")
                || method.equals("currentThread");
    }

    /// Whether the call polls a channel.
    boolean asksChannel() {
        return owner.startsWith("dev.heddle.") && CHANNELS.contains(method);
    }

    boolean isLibrary() {
        return owner.startsWith("java.") || owner.startsWith("dev.heddle.");
    }

    private boolean isTimed() {
        return descriptor.contains("Ljava/util/concurrent/TimeUnit;") || descriptor.contains("Ljava/time/Duration;");
    }

    @Override
    public String toString() {
        return owner.substring(owner.lastIndexOf('.') + 1).replace('$', '.') + "." + method;
    }
}
