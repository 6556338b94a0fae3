package dev.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A snapshot of one thread: its frames, its carrier, what it waits for and what it holds.
///
/// @param state    the state, in the terms of `Thread.getState`
/// @param stack    the frames, the innermost first
/// @param carrier  its carrier if it is mounted
/// @param blocker  what it is parked on, waits on or wants to lock
/// @param monitors the monitors it holds; not known for a thread that is mounted or runnable
/// @param held     of the locks that the caller asked about, those it held while its frames were read
/// @param timedNanos how long ago its timed park or timed wait began; -1 if it is in none
/// @param seenNanos  how long observers have seen it unmounted in this state without it running in between; 0 at the
///                   first time, and for a thread that has not begun; -1 if it may have run
public record ThreadSnapshotter(
        Thread.State state,
        List<StackTraceElement> stack,
        @Nullable Thread carrier,
        @Nullable Object blocker,
        List<Object> monitors,
        List<Object> held,
        long timedNanos,
        long seenNanos) {

    /*
     * For an unmounted thread we read everything, through the JDK's ThreadSnapshot, which the JDK's own
     * Thread.dump_to_file uses. In JDK 25 that crashes the JVM if the thread is mounted meanwhile (JDK-8364343). So we
     * keep the thread from being mounted, as VirtualThread.tryGetStackTrace does: by the SUSPENDED bit of its state. A
     * thread that tried to resume it meanwhile found the bit and left a permit or a mark. After clearing the bit we
     * check for these and submit the thread if there is one. A runnable thread is submitted in any case, since its
     * run-queue entry may have been consumed while it was suspended (J2).
     *
     * For a mounted thread we read the frames only. A thread in transition between the two is tried again, a limited
     * number of times. Thread.getStackTrace would retry without limit and yield the CPU each time.
     *
     * Whether the thread holds a lock is read at the same moment as its frames: a suspended thread cannot release one.
     * A mounted thread may run on, so for it the owner is read before and after the frames.
     */

    private static final int TRIES = 50;

    /// Linked on first use: programs that take no dump do not pay for it.
    private static final class Handles {
        static final MethodHandle OF;
        static final MethodHandle STACK;
        static final MethodHandle STATE;
        static final MethodHandle PARK_BLOCKER;
        static final MethodHandle BLOCKED_ON;
        static final MethodHandle WAITING_ON;
        static final MethodHandle OWNS_MONITORS;
        static final MethodHandle MONITORS_AT;
        static final MethodHandle MOUNTED_STACK;
        static final long CARRIER = Jdk.U.objectFieldOffset(Jdk.VIRTUAL_THREAD, "carrierThread");
        static final long BLOCK_PERMIT = Jdk.U.objectFieldOffset(Jdk.VIRTUAL_THREAD, "blockPermit");
        static final long NOTIFIED = Jdk.U.objectFieldOffset(Jdk.VIRTUAL_THREAD, "notified");

        static {
            String snapshot = "jdk.internal.vm.ThreadSnapshot";
            try {
                Module base = Object.class.getModule();
                Jdk.JLA.addOpens(base, "jdk.internal.vm", ThreadSnapshotter.class.getModule());
                Class<?> type = Jdk.classNamed(snapshot);
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
                OF = lookup.findStatic(type, "of", MethodType.methodType(type, Thread.class))
                        .asType(MethodType.methodType(Object.class, Thread.class));
                STACK = getter(lookup, type, "stackTrace", StackTraceElement[].class);
                STATE = getter(lookup, type, "threadState", Thread.State.class);
                PARK_BLOCKER = getter(lookup, type, "parkBlocker", Object.class);
                BLOCKED_ON = getter(lookup, type, "blockedOn", Object.class);
                WAITING_ON = getter(lookup, type, "waitingOn", Object.class);
                OWNS_MONITORS = getter(lookup, type, "ownsMonitors", boolean.class);
                MONITORS_AT = lookup.findVirtual(
                                type, "ownedMonitorsAt", MethodType.methodType(Stream.class, int.class))
                        .asType(MethodType.methodType(Stream.class, Object.class, int.class));
                MOUNTED_STACK = MethodHandles.privateLookupIn(Jdk.VIRTUAL_THREAD, MethodHandles.lookup())
                        .findSpecial(
                                Thread.class,
                                "asyncGetStackTrace",
                                MethodType.methodType(StackTraceElement[].class),
                                Jdk.VIRTUAL_THREAD)
                        .asType(MethodType.methodType(StackTraceElement[].class, Thread.class));
            } catch (ReflectiveOperationException e) {
                throw Jdk.unexpected(snapshot, e);
            }
        }

        private static MethodHandle getter(MethodHandles.Lookup lookup, Class<?> type, String name, Class<?> result)
                throws ReflectiveOperationException {
            return lookup.findVirtual(type, name, MethodType.methodType(result))
                    .asType(MethodType.methodType(result, Object.class));
        }
    }

    /// The picture of a virtual thread; null if it has ended. Without frames if it has not begun, or if it
    /// changed its state during every attempt. Any thread.
    public static @Nullable ThreadSnapshotter of(Thread thread) {
        return of(thread, List.of());
    }

    /// The same, and which of these locks the thread held at that moment.
    public static @Nullable ThreadSnapshotter of(Thread thread, List<Object> locks) {
        long _ = Handles.CARRIER; // link all handles now, not while a thread that may hold a lock is suspended
        Synchronizers.link();
        try {
            for (int left = TRIES; left > 0; left--) {
                int state = Jdk.stateOf(thread);
                ThreadSnapshotter picture = null;
                switch (state) {
                    case ThreadState.TERMINATED -> {
                        return null;
                    }
                    case ThreadState.STARTED -> picture = withoutFrames(null, /* seenNanos= */ 0);
                    case ThreadState.PARKED,
                            ThreadState.TIMED_PARKED,
                            ThreadState.BLOCKED,
                            ThreadState.WAIT,
                            ThreadState.TIMED_WAIT,
                            ThreadState.UNPARKED,
                            ThreadState.UNBLOCKED,
                            ThreadState.YIELDED -> picture = ofUnmounted(thread, state, locks);
                    case ThreadState.RUNNING, ThreadState.PINNED, ThreadState.TIMED_PINNED ->
                        picture = ofMounted(thread, state, locks);
                    default -> Thread.onSpinWait(); // in transition, or suspended by another reader
                }
                if (picture != null) {
                    return picture;
                }
            }
            return withoutFrames(carrierOf(thread), /* seenNanos= */ -1);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// The picture of a platform thread that carries no virtual threads; null if it has ended. The JVM stops
    /// the thread for the picture only, so the locks are read before and after it. Any thread.
    public static @Nullable ThreadSnapshotter ofPlatform(Thread thread, List<Object> locks) {
        try {
            List<Object> before = heldBy(thread, locks);
            Object snapshot = (Object) Handles.OF.invokeExact(thread);
            if (snapshot == null) {
                return null;
            }
            StackTraceElement[] stack = (StackTraceElement[]) Handles.STACK.invokeExact(snapshot);
            return new ThreadSnapshotter(
                    (Thread.State) Handles.STATE.invokeExact(snapshot),
                    List.of(stack),
                    null,
                    blockerOf(snapshot),
                    monitorsOf(snapshot, stack.length),
                    heldBy(thread, before),
                    /* timedNanos= */ -1,
                    /* seenNanos= */ -1);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static ThreadSnapshotter withoutFrames(@Nullable Thread carrier, long seenNanos) {
        return new ThreadSnapshotter(
                Thread.State.RUNNABLE, List.of(), carrier, null, List.of(), List.of(), /* timedNanos= */ -1, seenNanos);
    }

    private static @Nullable Thread carrierOf(Thread thread) {
        return (Thread) Jdk.U.getReferenceVolatile(thread, Handles.CARRIER);
    }

    /// Null if the thread is no longer mounted.
    private static @Nullable ThreadSnapshotter ofMounted(Thread thread, int state, List<Object> locks)
            throws Throwable {
        Thread carrier = carrierOf(thread);
        List<Object> before = heldBy(thread, locks);
        StackTraceElement[] stack = (StackTraceElement[]) Handles.MOUNTED_STACK.invokeExact(thread);
        if (stack == null || carrier == null) {
            return null;
        }
        return new ThreadSnapshotter(
                state == ThreadState.RUNNING ? Thread.State.RUNNABLE : Thread.State.WAITING,
                List.of(stack),
                carrier,
                state == ThreadState.RUNNING ? null : LockSupport.getBlocker(thread),
                List.of(),
                heldBy(thread, before),
                /* timedNanos= */ -1,
                /* seenNanos= */ -1);
    }

    /// Null if the thread's state has changed, for instance because it was mounted or another reader
    /// suspended it.
    private static @Nullable ThreadSnapshotter ofUnmounted(Thread thread, int state, List<Object> locks)
            throws Throwable {
        WaitMark fresh = new WaitMark(System.nanoTime());
        if (!Jdk.U.compareAndSetInt(thread, Jdk.STATE, state, state | ThreadState.SUSPENDED)) {
            return null;
        }
        Object snapshot;
        List<Object> held;
        long timedNanos;
        long seenNanos;
        try {
            held = heldBy(thread, locks);
            timedNanos = WaitMark.timedNanos(thread, state);
            seenNanos = WaitMark.seenNanos(thread, state, fresh);
            snapshot = (Object) Handles.OF.invokeExact(thread);
        } finally {
            Jdk.U.putIntVolatile(thread, Jdk.STATE, state);
            if (mustSubmit(thread, state)) {
                Runnable resumeTask = Jdk.resumeTaskOf(thread);
                Jdk.executorOf(resumeTask).execute(resumeTask);
            }
        }
        if (snapshot == null) {
            return null;
        }
        StackTraceElement[] stack = (StackTraceElement[]) Handles.STACK.invokeExact(snapshot);
        List<Object> monitors = monitorsOf(snapshot, stack.length);
        Object blocker = blockerOf(snapshot);
        boolean waits = state == ThreadState.WAIT || state == ThreadState.TIMED_WAIT;
        return new ThreadSnapshotter(
                stateOf(state),
                List.of(stack),
                null,
                waits && blocker == null ? onlyOneOf(monitors) : blocker,
                monitors,
                held,
                timedNanos,
                seenNanos);
    }

    private static List<Object> heldBy(Thread thread, List<Object> locks) {
        if (locks.isEmpty()) {
            return locks;
        }
        List<Object> held = new ArrayList<>();
        for (Object lock : locks) {
            if (Synchronizers.ownerOf(lock) == thread) {
                held.add(lock);
            }
        }
        return held;
    }

    /// Whether the thread must be submitted, because another thread may have tried to resume it while it was
    /// suspended.
    private static boolean mustSubmit(Thread thread, int state) {
        return switch (state) {
            case ThreadState.PARKED, ThreadState.TIMED_PARKED ->
                Jdk.U.getBooleanVolatile(thread, Jdk.PARK_PERMIT)
                        && Jdk.U.compareAndSetInt(thread, Jdk.STATE, state, ThreadState.UNPARKED);
            case ThreadState.BLOCKED ->
                Jdk.U.getBooleanVolatile(thread, Handles.BLOCK_PERMIT)
                        && Jdk.U.compareAndSetInt(thread, Jdk.STATE, state, ThreadState.UNBLOCKED);
            case ThreadState.WAIT, ThreadState.TIMED_WAIT ->
                (Jdk.U.getBooleanVolatile(thread, Handles.NOTIFIED)
                                || Jdk.U.getBooleanVolatile(thread, Jdk.INTERRUPTED))
                        && Jdk.U.compareAndSetInt(thread, Jdk.STATE, state, ThreadState.UNBLOCKED);
            default -> true;
        };
    }

    private static Thread.State stateOf(int state) {
        return switch (state) {
            case ThreadState.PARKED, ThreadState.WAIT -> Thread.State.WAITING;
            case ThreadState.TIMED_PARKED, ThreadState.TIMED_WAIT -> Thread.State.TIMED_WAITING;
            case ThreadState.BLOCKED -> Thread.State.BLOCKED;
            default -> Thread.State.RUNNABLE;
        };
    }

    private static @Nullable Object blockerOf(Object snapshot) throws Throwable {
        Object parkedOn = (Object) Handles.PARK_BLOCKER.invokeExact(snapshot);
        if (parkedOn != null) {
            return parkedOn;
        }
        return switch ((Thread.State) Handles.STATE.invokeExact(snapshot)) {
            case BLOCKED -> (Object) Handles.BLOCKED_ON.invokeExact(snapshot);
            case WAITING, TIMED_WAITING -> (Object) Handles.WAITING_ON.invokeExact(snapshot);
            case NEW, RUNNABLE, TERMINATED -> null;
        };
    }

    /// The monitor that an unmounted thread waits on, which the JVM does not tell if `Object.wait` is
    /// compiled: it is among the monitors that the thread has entered. Null if these are several, since the
    /// thread may wait on any of them.
    static @Nullable Object onlyOneOf(List<Object> monitors) {
        return !monitors.isEmpty() && monitors.stream().allMatch(it -> it == monitors.getFirst())
                ? monitors.getFirst()
                : null;
    }

    private static List<Object> monitorsOf(Object snapshot, int depth) throws Throwable {
        if (!(boolean) Handles.OWNS_MONITORS.invokeExact(snapshot)) {
            return List.of();
        }
        List<Object> monitors = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            Stream<?> at = (Stream<?>) (Stream) Handles.MONITORS_AT.invokeExact(snapshot, i);
            at.forEach(monitor -> {
                if (monitor != null) { // null: the compiler eliminated the lock
                    monitors.add(monitor);
                }
            });
        }
        return monitors;
    }

    /// The thread that owns the lock this thread waits for, if it is a lock with an owner; racy.
    public @Nullable Thread ownerOfBlocker() {
        return Synchronizers.ownerOf(blocker);
    }
}
