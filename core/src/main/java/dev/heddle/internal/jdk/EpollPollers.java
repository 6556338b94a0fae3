package dev.heddle.internal.jdk;

import dev.heddle.internal.settings.Settings;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import sun.nio.ch.Poller;

/// The JDK's socket pollers, driven by the scheduler's own threads: no thread of the JDK is involved between the
/// readiness of a socket and the machine that runs its reader. Go: netpoll_epoll.go.
///
/// Linux only, and only for the JVM's default scheduler; the agent opens the packages it needs.
public final class EpollPollers {
    /*
     * Shape.      The JDK has a few pollers, each an epoll with a map from descriptor to waiting thread. The JDK would
     *             serve each by a virtual thread that waits in a master poller. Those threads are never run: one outer
     *             epoll, level-triggered, watches their epolls, together with an eventfd.
     *
     *                 socket --> poller's epoll (one-shot) --+--> outer epoll <-- eventfd (wake)
     *                 socket --> poller's epoll (one-shot) --+
     *
     *             So waiting for events and taking them are two steps. [#await] takes nothing: the thread that returns
     *             from it first acquires a processor, and the threads that [#pollNow] then makes runnable go to that
     *             processor's own queue.
     * Who.        await: one thread at a time, which the caller ensures.  pollNow: any thread; a second concurrent call
     *             does nothing, since there is one event buffer.  wake: any thread.
     * Loss.       An event is reported once: a reader whose event is lost waits for ever. So nothing between the
     *             EPoll.wait that takes events and the unparks may depend on free memory. The JDK's Poller.poll
     *             allocates an Integer for each descriptor; we use a loop of our own, with one key for all, and
     *             read the descriptors with Unsafe.
     * Handles.    The JDK makes a copy of a method handle that the interpreter has called 127 times (it customizes the
     *             handle). That needs memory, and if there is none, the 128th call throws OutOfMemoryError. So the
     *             constructor calls the handles that are used later more often than that.
     * Wake.       The thread that sets `woken` to true writes the eventfd. The waiter drains it and then sets `woken`
     *             to false. A wake in between writes nothing, but is not lost: the waiter checks everything again
     *             anyway.
     */

    private static final int MAX_EVENTS = 64;

    /// More calls than java.lang.invoke.MethodHandleStatics.CUSTOMIZE_THRESHOLD: see Handles.
    private static final int CALLS_TO_CUSTOMIZE = 130;

    private static final int ADD = 1; // EPOLL_CTL_ADD
    private static final int IN = 1; // EPOLLIN

    private final int epoll;
    private final Object eventFd;
    private final int eventFdNumber;
    private final long waitEvents;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicBoolean polling = new AtomicBoolean();
    private volatile Adopted[] adopted = new Adopted[0];

    // Used by the polling thread only.
    private final long pollEvents;
    private final DescriptorKey key = new DescriptorKey();

    /// A poller of the JDK, its epoll, and the threads that wait in it by descriptor.
    private record Adopted(Poller poller, int epoll, Map<?, ?> waiting) {
        static Adopted of(Poller poller) throws Throwable {
            long map = Jdk.U.objectFieldOffset(Poller.class, "map");
            return new Adopted(
                    poller, (int) Handles.EPOLL_OF.invokeExact(poller), (Map<?, ?>) Jdk.U.getReference(poller, map));
        }
    }

    /// Finds the Integer of a descriptor in a hash map without allocating one.
    private static final class DescriptorKey {
        private int descriptor;

        @Override
        public int hashCode() {
            return Integer.hashCode(descriptor);
        }

        @Override
        @SuppressWarnings("EqualsUnsafeCast") // not symmetric: only ever the key that is looked for
        public boolean equals(@Nullable Object other) {
            return other instanceof Integer number ? number == descriptor : other == this;
        }
    }

    private EpollPollers() throws Throwable {
        epoll = (int) Handles.CREATE.invokeExact();
        eventFd = (Object) Handles.NEW_EVENT_FD.invokeExact();
        eventFdNumber = (int) Handles.EVENT_FD_NUMBER.invokeExact(eventFd);
        waitEvents = (long) Handles.ALLOCATE.invokeExact(MAX_EVENTS);
        pollEvents = (long) Handles.ALLOCATE.invokeExact(MAX_EVENTS);
        watch(eventFdNumber);
        for (int i = 0; i < CALLS_TO_CUSTOMIZE; i++) {
            wake();
            await(0);
        }
    }

    /// Null if the JDK's pollers are not those of Linux or are not open to Heddle, or with
    /// `-Dheddle.netpoll=jdk`: the pollers then run as threads.
    public static @Nullable EpollPollers create() {
        if (Settings.isNetpollByJdk()) {
            return null;
        }
        try {
            return new EpollPollers();
        } catch (Throwable _) {
            return null;
        }
    }

    /// Takes over the poller that this unstarted thread of the JDK would have served. If false, the caller must let
    /// the thread run.
    public synchronized boolean adopt(Thread subPoller) {
        try {
            Adopted poller = Adopted.of(pollerOf(subPoller));
            Adopted[] more = Arrays.copyOf(adopted, adopted.length + 1);
            more[adopted.length] = poller;
            watch(poller.epoll()); // may fail, and then the thread polls
            adopted = more;
            return true;
        } catch (Throwable _) {
            return false;
        }
    }

    /// The poller inside the task of the thread: `() -> p.subPollerLoop(masterPoller)`, in an executor's wrapper.
    private static Poller pollerOf(Thread subPoller) {
        Object wrapper = Jdk.taskOf(subPoller);
        if (wrapper == null) {
            throw new IllegalStateException();
        }
        Object task = Jdk.U.getReference(wrapper, ResumeTasks.offsetOfType(wrapper.getClass(), Runnable.class));
        return (Poller) Jdk.U.getReference(task, ResumeTasks.offsetOfType(task.getClass(), Poller.class));
    }

    private void watch(int descriptor) throws Throwable {
        int error = (int) Handles.CONTROL.invokeExact(epoll, ADD, descriptor, IN);
        if (error != 0) {
            throw new IOException("epoll_ctl failed: " + error);
        }
    }

    /// Whether any thread waits for a socket.
    public boolean isAnyWaiting() {
        for (Adopted each : adopted) {
            if (each.poller().registered() > 0) {
                return true;
            }
        }
        return false;
    }

    /// Waits until a socket may be ready, until [#wake], or for `millis` milliseconds (-1: no limit). May return
    /// spuriously. One thread at a time, a platform thread or the carrier.
    public void await(int millis) {
        int ready = waitFor(epoll, waitEvents, millis);
        for (int i = 0; i < ready; i++) {
            if (descriptor(waitEvents, i) == eventFdNumber) {
                drain();
            }
        }
    }

    /// Ends an [#await], the current one or the next. Any thread.
    public void wake() {
        if (!woken.get() && woken.compareAndSet(false, true)) {
            try {
                Handles.SET.invokeExact(eventFd);
            } catch (Throwable e) {
                woken.set(false); // the next one tries again
                throw new IllegalStateException("the wake-up of the network poller failed", e);
            }
        }
    }

    private void drain() {
        try {
            Handles.RESET.invokeExact(eventFd);
        } catch (Throwable e) {
            throw new IllegalStateException("the wake-up of the network poller failed", e);
        }
        woken.set(false);
    }

    /// Makes the threads runnable whose sockets are ready, and returns how many. Does not wait. Any thread; the
    /// unparks happen on the calling thread.
    public int pollNow() {
        if (polling.get() || !polling.compareAndSet(false, true)) {
            return 0;
        }
        try {
            int unparked = 0;
            for (Adopted each : adopted) {
                if (each.poller().registered() > 0) {
                    unparked += poll(each);
                }
            }
            return unparked;
        } finally {
            polling.set(false);
        }
    }

    private int poll(Adopted poller) {
        int ready = waitFor(poller.epoll(), pollEvents, /* millis= */ 0);
        for (int i = 0; i < ready; i++) {
            wake(poller.waiting(), descriptor(pollEvents, i));
        }
        return Math.max(0, ready);
    }

    /// Does the same as Poller.polled.
    private void wake(Map<?, ?> waiting, int descriptor) {
        key.descriptor = descriptor;
        Object waiter = waiting.get(key);
        try {
            waiter = waiting.remove(key);
        } catch (OutOfMemoryError _) {
            // The entry was removed before the map tried to allocate a cell for its contended counter.
        }
        if (waiter != null) {
            LockSupport.unpark((Thread) waiter); // on OutOfMemoryError the JDK retries until it has the memory
        }
    }

    private static int waitFor(int epoll, long events, int millis) {
        try {
            return (int) Handles.WAIT.invokeExact(epoll, events, MAX_EVENTS, millis);
        } catch (Throwable _) {
            return 0; // interrupted by a signal: no event was taken
        }
    }

    private static int descriptor(long events, int index) {
        return Jdk.U.getInt(events + (long) index * Handles.EVENT_SIZE + Handles.DESCRIPTOR_OFFSET);
    }

    /// Members of sun.nio.ch, which has no public ones for this. Looked up when the first socket is used.
    private static final class Handles {
        static final MethodHandle CREATE;
        static final MethodHandle CONTROL;
        static final MethodHandle WAIT;
        static final MethodHandle ALLOCATE;
        static final int EVENT_SIZE;
        static final int DESCRIPTOR_OFFSET;
        static final MethodHandle NEW_EVENT_FD;
        static final MethodHandle EVENT_FD_NUMBER;
        static final MethodHandle SET;
        static final MethodHandle RESET;
        static final MethodHandle EPOLL_OF;

        static {
            try {
                MethodHandles.Lookup inside = MethodHandles.privateLookupIn(Poller.class, MethodHandles.lookup());
                Class<?> epoll = inside.findClass("sun.nio.ch.EPoll");
                Class<?> eventFd = inside.findClass("sun.nio.ch.EventFD");
                CREATE = inside.findStatic(epoll, "create", type(int.class));
                CONTROL = inside.findStatic(epoll, "ctl", type(int.class, int.class, int.class, int.class, int.class));
                WAIT = inside.findStatic(epoll, "wait", type(int.class, int.class, long.class, int.class, int.class));
                ALLOCATE = inside.findStatic(epoll, "allocatePollArray", type(long.class, int.class));
                EVENT_SIZE = constant(epoll, "SIZEOF_EPOLLEVENT");
                DESCRIPTOR_OFFSET = constant(epoll, "OFFSETOF_FD");
                NEW_EVENT_FD = inside.findConstructor(eventFd, type(void.class)).asType(type(Object.class));
                EVENT_FD_NUMBER =
                        inside.findVirtual(eventFd, "efd", type(int.class)).asType(type(int.class, Object.class));
                SET = inside.findVirtual(eventFd, "set", type(void.class)).asType(type(void.class, Object.class));
                RESET = inside.findVirtual(eventFd, "reset", type(void.class)).asType(type(void.class, Object.class));
                EPOLL_OF = inside.findVirtual(Poller.class, "fdVal", type(int.class));
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private static int constant(Class<?> type, String name) throws NoSuchFieldException {
            Field field = type.getDeclaredField(name);
            Jdk.U.ensureClassInitialized(type);
            return Jdk.U.getInt(Jdk.U.staticFieldBase(field), Jdk.U.staticFieldOffset(field));
        }

        private static MethodType type(Class<?> result, Class<?>... parameters) {
            return MethodType.methodType(result, parameters);
        }
    }
}
