package dev.heddle.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the JVM tells about one thread at one moment: its frames, its carrier, what it waits for and what it holds.
///
/// Taken as the JDK's own `Thread.dump_to_file` takes it. Unlike `Thread.getStackTrace` that does not suspend a virtual
/// thread, so that it is not queued twice for being looked at (J2).
///
/// @param state    as `Thread.getState` says
/// @param stack    the frames, the innermost first
/// @param carrier  the carrier of a mounted virtual thread
/// @param blocker  what it is parked on, waits on or wants to lock
/// @param monitors the monitors it holds
public record ThreadPicture(
        Thread.State state,
        List<StackTraceElement> stack,
        @Nullable Thread carrier,
        @Nullable Object blocker,
        List<Object> monitors) {

    /// Linked on first use: nobody pays who takes no dump.
    private static final class Handles {
        static final MethodHandle OF;
        static final MethodHandle STACK;
        static final MethodHandle STATE;
        static final MethodHandle CARRIER;
        static final MethodHandle PARK_BLOCKER;
        static final MethodHandle BLOCKED_ON;
        static final MethodHandle WAITING_ON;
        static final MethodHandle OWNS_MONITORS;
        static final MethodHandle MONITORS_AT;
        static final long OWNER = Jdk.U.objectFieldOffset(AbstractOwnableSynchronizer.class, "exclusiveOwnerThread");

        static {
            String snapshot = "jdk.internal.vm.ThreadSnapshot";
            try {
                Module base = Object.class.getModule();
                Jdk.JLA.addOpens(base, "jdk.internal.vm", ThreadPicture.class.getModule());
                Class<?> type = Jdk.classNamed(snapshot);
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
                OF = lookup.findStatic(type, "of", MethodType.methodType(type, Thread.class))
                        .asType(MethodType.methodType(Object.class, Thread.class));
                STACK = getter(lookup, type, "stackTrace", StackTraceElement[].class);
                STATE = getter(lookup, type, "threadState", Thread.State.class);
                CARRIER = getter(lookup, type, "carrierThread", Thread.class);
                PARK_BLOCKER = getter(lookup, type, "parkBlocker", Object.class);
                BLOCKED_ON = getter(lookup, type, "blockedOn", Object.class);
                WAITING_ON = getter(lookup, type, "waitingOn", Object.class);
                OWNS_MONITORS = getter(lookup, type, "ownsMonitors", boolean.class);
                MONITORS_AT = lookup.findVirtual(
                                type, "ownedMonitorsAt", MethodType.methodType(Stream.class, int.class))
                        .asType(MethodType.methodType(Stream.class, Object.class, int.class));
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

    /// The picture of a thread; null if it has ended. Any thread.
    public static @Nullable ThreadPicture of(Thread thread) {
        try {
            Object snapshot = (Object) Handles.OF.invokeExact(thread);
            if (snapshot == null) {
                return null;
            }
            StackTraceElement[] stack = (StackTraceElement[]) Handles.STACK.invokeExact(snapshot);
            Thread.State state = (Thread.State) Handles.STATE.invokeExact(snapshot);
            return new ThreadPicture(
                    state,
                    List.of(stack),
                    (Thread) Handles.CARRIER.invokeExact(snapshot),
                    blockerOf(snapshot, state),
                    monitorsOf(snapshot, stack.length));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Object blockerOf(Object snapshot, Thread.State state) throws Throwable {
        Object parkedOn = (Object) Handles.PARK_BLOCKER.invokeExact(snapshot);
        if (parkedOn != null) {
            return parkedOn;
        }
        return switch (state) {
            case BLOCKED -> (Object) Handles.BLOCKED_ON.invokeExact(snapshot);
            case WAITING, TIMED_WAITING -> (Object) Handles.WAITING_ON.invokeExact(snapshot);
            case NEW, RUNNABLE, TERMINATED -> null;
        };
    }

    private static List<Object> monitorsOf(Object snapshot, int depth) throws Throwable {
        if (!(boolean) Handles.OWNS_MONITORS.invokeExact(snapshot)) {
            return List.of();
        }
        List<Object> monitors = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            Stream<?> at = (Stream<?>) (Stream) Handles.MONITORS_AT.invokeExact(snapshot, i);
            at.forEach(monitor -> {
                if (monitor != null) { // null: optimised away
                    monitors.add(monitor);
                }
            });
        }
        return monitors;
    }

    /// The thread that owns the lock this thread waits for, if it is a lock with an owner; racy.
    public @Nullable Thread ownerOfBlocker() {
        return blocker instanceof AbstractOwnableSynchronizer lock
                ? (Thread) Jdk.U.getReferenceVolatile(lock, Handles.OWNER)
                : null;
    }
}
