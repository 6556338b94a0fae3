package dev.heddle.testkit.internal;

import dev.heddle.internal.jdk.ThreadState;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ThreadContainers;

/// The members of JDK 25 that the testkit reads or writes, beside those of Heddle's [Jdk].
final class Internals {

    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long STATE;
    private static final long ON_WAITING_LIST;
    private static final long PARK_PERMIT;
    private static final long CONTINUATION;
    private static final long TERMINATION;
    private static final long STACK = U.objectFieldOffset(Continuation.class, "tail");
    private static final long TARGET = U.objectFieldOffset(Continuation.class, "target");
    private static final long THREAD_LOCALS = U.objectFieldOffset(Thread.class, "threadLocals");
    private static final long INHERITABLE_LOCALS = U.objectFieldOffset(Thread.class, "inheritableThreadLocals");
    private static final long RANDOM_SEED = U.objectFieldOffset(Thread.class, "threadLocalRandomSeed");
    private static final long RANDOM_PROBE = U.objectFieldOffset(Thread.class, "threadLocalRandomProbe");
    private static final long RANDOM_SECONDARY = U.objectFieldOffset(Thread.class, "threadLocalRandomSecondarySeed");
    private static final long HANDLER = U.objectFieldOffset(Thread.class, "uncaughtExceptionHandler");

    private static final int BLOCKING = 12; // the one state that ThreadState leaves out

    static {
        try {
            Class<?> virtualThread = Class.forName("java.lang.VirtualThread");
            STATE = U.objectFieldOffset(virtualThread, "state");
            ON_WAITING_LIST = U.objectFieldOffset(virtualThread, "onWaitingList");
            PARK_PERMIT = U.objectFieldOffset(virtualThread, "parkPermit");
            CONTINUATION = U.objectFieldOffset(virtualThread, "cont");
            TERMINATION = U.objectFieldOffset(virtualThread, "termination");
        } catch (ClassNotFoundException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Internals() {}

    /// Whether the JVM has handed the thread to its unblocker, which has not taken it yet.
    static boolean isOnWaitingList(Thread virtualThread) {
        return U.getBooleanVolatile(virtualThread, ON_WAITING_LIST);
    }

    /// Whether the thread waits for a monitor, or in Object.wait: the JVM's unblocker thread then makes it
    /// runnable, at any real time.
    static boolean isAtMonitor(int state) {
        return switch (state) {
            case BLOCKING,
                    ThreadState.BLOCKED,
                    ThreadState.WAITING,
                    ThreadState.WAIT,
                    ThreadState.TIMED_WAITING,
                    ThreadState.TIMED_WAIT -> true;
            default -> false;
        };
    }

    /// Whether the thread is in Object.wait, and was neither notified nor woken otherwise.
    static boolean isWaiting(int state) {
        return state == ThreadState.WAIT || state == ThreadState.TIMED_WAIT;
    }

    /// Ends a thread's Object.wait as its time limit would: it returns when the thread has the monitor again. The
    /// caller makes the thread runnable. False if the thread does not wait any more.
    static boolean endWait(Thread virtualThread, int state) {
        return isWaiting(state) && U.compareAndSetInt(virtualThread, STATE, state, ThreadState.UNBLOCKED);
    }

    /// Whether the next park of a virtual thread returns at once.
    static boolean hasParkPermit(Thread virtualThread) {
        return U.getBooleanVolatile(virtualThread, PARK_PERMIT);
    }

    /// Makes the random numbers that a thread gets from ThreadLocalRandom follow from `seed`, and so the cells
    /// that LongAdder and ConcurrentHashMap choose.
    static void seedRandom(Thread thread, long seed) {
        U.putLong(thread, RANDOM_SEED, seed);
        U.putInt(thread, RANDOM_PROBE, (int) (seed >>> 33) | 1); // 0 means not initialised
        U.putInt(thread, RANDOM_SECONDARY, (int) seed | 1);
    }

    static boolean hasOwnHandler(Thread thread) {
        return U.getReferenceVolatile(thread, HANDLER) != null;
    }

    /// Takes a thread that will never run again out of the JVM's list of threads, so that it can be collected,
    /// and cuts it off from everything else. The JVM keeps a thread that waits for a monitor for ever. It should
    /// not keep the stack as well, nor the threads that join it, nor what these refer to.
    static void forget(Thread virtualThread) {
        ThreadContainers.root().remove(virtualThread);
        Object continuation = U.getReference(virtualThread, CONTINUATION);
        U.putReferenceVolatile(continuation, STACK, null);
        U.putReferenceVolatile(continuation, TARGET, null);
        U.putReferenceVolatile(virtualThread, TERMINATION, null);
        U.putReferenceVolatile(virtualThread, THREAD_LOCALS, null);
        U.putReferenceVolatile(virtualThread, INHERITABLE_LOCALS, null);
    }

    /// Initialises the JDK's socket pollers on the calling platform thread: their threads would otherwise
    /// belong to the first test that uses a socket.
    static void startPollers() {
        try {
            Class.forName("sun.nio.ch.Poller", /* initialize= */ true, null);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
