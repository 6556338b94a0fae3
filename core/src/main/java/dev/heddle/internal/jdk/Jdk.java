package dev.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.CarrierThread;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.StackableScope;
import jdk.internal.vm.ThreadContainer;
import jdk.internal.vm.ThreadContainers;
import org.jspecify.annotations.Nullable;

/// The access point to the JDK's internals. Nothing outside this package names a JDK-internal class or field.
///
/// The methods are static and small, so that the JIT compiler inlines them in the kernel's hot paths. Members of the
/// JDK are looked up once. If one is missing, the exception's message names the JDK and the member.
public final class Jdk {

    static final Unsafe U = Unsafe.getUnsafe();
    static final JavaLangAccess JLA = SharedSecrets.getJavaLangAccess();

    /// Thread.NO_INHERIT_THREAD_LOCALS.
    static final int NO_INHERIT_THREAD_LOCALS = 1 << 2;

    static final Class<?> VIRTUAL_THREAD = classNamed("java.lang.VirtualThread");
    static final long STATE = offset(VIRTUAL_THREAD, "state");
    static final long SCHEDULER = offset(VIRTUAL_THREAD, "scheduler");
    static final long CONTINUATION = offset(VIRTUAL_THREAD, "cont");
    static final long RESUME_TASK = offset(VIRTUAL_THREAD, "runContinuation");
    static final long PARK_PERMIT = offset(VIRTUAL_THREAD, "parkPermit");
    private static final long TIMEOUT = offset(VIRTUAL_THREAD, "timeout");
    static final long TARGET = offset(Continuation.class, "target");

    private static final long NAME = offset(Thread.class, "name");
    static final long INTERRUPTED = offset(Thread.class, "interrupted");
    private static final long THREAD_LOCALS = offset(Thread.class, "threadLocals");
    private static final long INHERITABLE = offset(Thread.class, "inheritableThreadLocals");
    private static final long CONTEXT_LOADER = offset(Thread.class, "contextClassLoader");
    private static final long HANDLER = offset(Thread.class, "uncaughtExceptionHandler");
    private static final long HOLDER = offset(Thread.class, "holder");
    private static final long HOLDER_TASK = offset(classNamed("java.lang.Thread$FieldHolder"), "task");
    private static final long SCOPES = offset(Thread.class, "headStackableScopes");

    private static final long POOL_CONTAINER = offset(ForkJoinPool.class, "container");
    private static final long WORK_QUEUE = offset(ForkJoinWorkerThread.class, "workQueue");
    private static final long TOP = offset(classNamed("java.util.concurrent.ForkJoinPool$WorkQueue"), "top");
    private static final Class<?> ADAPTER = classNamed("java.util.concurrent.ForkJoinTask$AdaptedRunnableAction");
    private static final long ADAPTED = offset(ADAPTER, "runnable");

    /// Method handles, in a class of their own and linked on first use, since linking takes milliseconds of the
    /// agent's start.
    private static final class Handles {
        static final MethodHandle NEW_VIRTUAL_THREAD = newVirtualThreadHandle();
        static final MethodHandle INHERITED_MAP = inheritedMapHandle();
    }

    private Jdk() {}

    // ---- initialising

    /// Initialises this class and `types`, on the calling thread.
    public static void initialise(Class<?>... types) {
        for (Class<?> type : types) {
            U.ensureClassInitialized(type);
        }
    }

    /// Links what making a virtual thread and finding its resume task needs. Not while [DefaultScheduler] is
    /// vacant and may still be filled: see [ResumeTasks].
    public static void linkThreads(CarrierPool pool) {
        U.ensureClassInitialized(ResumeTasks.class);
        Thread _ = newBareVirtualThread(pool, Thread.currentThread()); // a Runnable; never started
    }

    // ---- the current carrier

    /// Keeps the current virtual thread on its carrier until [#unpin]. Nests. Does nothing on a platform
    /// thread.
    public static void pin() {
        Continuation.pin();
    }

    public static void unpin() {
        Continuation.unpin();
    }

    /// The platform thread that this code runs on; on a virtual thread it may change unless pinned.
    public static Thread currentCarrierThread() {
        return JLA.currentCarrierThread();
    }

    // ---- platform threads' parking, below LockSupport: never parks a virtual thread

    /// Parks the underlying platform thread, up to `nanos`, or without limit for 0. May return spuriously.
    public static void parkCarrier(long nanos) {
        U.park(false, nanos);
    }

    /// Parks the calling platform thread like [#parkCarrier], and forgets an interrupt: any thread may interrupt
    /// a carrier, which must not run in circles then. Not on a virtual thread's stack, whose interrupt it would
    /// forget.
    public static void parkSelf(long nanos) {
        U.park(false, nanos);
        boolean _ = Thread.interrupted();
    }

    public static void unparkCarrier(Thread platformThread) {
        U.unpark(platformThread);
    }

    /// The kernel's clock: `System.nanoTime`.
    public static long nanoTime() {
        return System.nanoTime();
    }

    // ---- virtual threads and their resume tasks

    /// Makes an unstarted virtual thread of the given scheduler. `name` null means unnamed.
    public static Thread newVirtualThread(
            Executor scheduler, @Nullable String name, int characteristics, Runnable task) {
        try {
            return (Thread) Handles.NEW_VIRTUAL_THREAD.invokeExact(scheduler, name, characteristics, task);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Makes an unstarted virtual thread that inherits nothing from the thread that makes it.
    public static Thread newBareVirtualThread(Executor scheduler, Runnable task) {
        return newVirtualThread(scheduler, null, NO_INHERIT_THREAD_LOCALS, task);
    }

    public static boolean isResumeTask(Runnable task) {
        return task.getClass() == ResumeTasks.RESUME_CLASS;
    }

    /// The resume task inside the adapter that `externalSubmit` brings; null when it is something else.
    static @Nullable Runnable unwrapResumeTask(ForkJoinTask<?> task) {
        if (task.getClass() != ADAPTER) {
            return null;
        }
        Runnable inner = (Runnable) U.getReference(task, ADAPTED);
        return isResumeTask(inner) ? inner : null;
    }

    /// The virtual thread that a resume task resumes.
    public static Thread threadOf(Runnable resumeTask) {
        return (Thread) U.getReference(resumeTask, ResumeTasks.RESUME_THREAD);
    }

    public static Runnable resumeTaskOf(Thread virtualThread) {
        return (Runnable) U.getReference(virtualThread, RESUME_TASK);
    }

    /// The state of the resume task's thread, one of [ThreadState], perhaps with the suspended bit.
    public static int stateOf(Runnable resumeTask) {
        return U.getIntVolatile(U.getReference(resumeTask, ResumeTasks.RESUME_THREAD), STATE);
    }

    public static int stateOf(Thread virtualThread) {
        return U.getIntVolatile(virtualThread, STATE);
    }

    /// Moves a thread that a failure left between two states to a runnable one; false if it moved meanwhile.
    public static boolean repairState(Runnable resumeTask, int from, int to) {
        return U.compareAndSetInt(U.getReference(resumeTask, ResumeTasks.RESUME_THREAD), STATE, from, to);
    }

    static Executor executorOf(Runnable resumeTask) {
        return (Executor) U.getReference(U.getReference(resumeTask, ResumeTasks.RESUME_THREAD), SCHEDULER);
    }

    static @Nullable CarrierPool poolOf(Runnable resumeTask) {
        return executorOf(resumeTask) instanceof CarrierPool pool ? pool : null;
    }

    /// The scheduler of a virtual thread of Heddle's; null for any other thread.
    public static @Nullable CarrierPool poolOf(Thread thread) {
        return VIRTUAL_THREAD.isInstance(thread) && U.getReference(thread, SCHEDULER) instanceof CarrierPool pool
                ? pool
                : null;
    }

    /// The task that a virtual thread was made with; null for a platform thread.
    public static @Nullable Object taskOf(Thread thread) {
        if (!VIRTUAL_THREAD.isInstance(thread)) {
            return null;
        }
        Object target = U.getReference(U.getReference(thread, CONTINUATION), TARGET);
        return target != null && target.getClass() == ResumeTasks.WRAPPER_CLASS
                ? U.getReference(target, ResumeTasks.WRAPPED_TASK)
                : null;
    }

    /// The task that a platform thread was made with; null if it has none or is virtual.
    public static @Nullable Object platformTaskOf(Thread thread) {
        if (thread.isVirtual()) {
            return null;
        }
        Object holder = U.getReference(thread, HOLDER);
        return holder == null ? null : U.getReference(holder, HOLDER_TASK);
    }

    /// What a thread that parks or is parked waits for, as it said itself; null if it said nothing.
    public static @Nullable Object blockerOf(Thread thread) {
        return LockSupport.getBlocker(thread);
    }

    /// For how long a parked virtual thread meant to wait at most, in nanoseconds; -1 if it is not in a timed park.
    /// Racy.
    public static long parkTimeoutOf(Thread virtualThread) {
        return stateOf(virtualThread) == ThreadState.TIMED_PARKED ? U.getLongVolatile(virtualThread, TIMEOUT) : -1;
    }

    /// True for exactly one caller per thread that ended, however often its resume task was queued (J2). The
    /// mark is kept in the thread's timeout field, which nothing reads after the end of the thread.
    public static boolean claimEnd(Thread virtualThread) {
        long timeout = U.getLongVolatile(virtualThread, TIMEOUT);
        return timeout != Long.MIN_VALUE && U.compareAndSetLong(virtualThread, TIMEOUT, timeout, Long.MIN_VALUE);
    }

    // ---- what a goroutine inherits, and what the next one in the same shell must not see

    /// A copy of the current thread's inheritable thread-locals, as a child thread would get it; null when
    /// none.
    public static @Nullable Object inheritableThreadLocals() {
        Object map = U.getReference(Thread.currentThread(), INHERITABLE);
        if (map == null) {
            return null;
        }
        try {
            return Handles.INHERITED_MAP.invoke(map);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    public static @Nullable ClassLoader contextClassLoader() {
        return (ClassLoader) U.getReference(Thread.currentThread(), CONTEXT_LOADER);
    }

    /// Gives the current virtual thread what its next goroutine inherits.
    public static void inherit(Thread self, @Nullable ClassLoader loader, @Nullable Object inheritableThreadLocals) {
        if (U.getReference(self, CONTEXT_LOADER) != loader) {
            U.putReferenceVolatile(self, CONTEXT_LOADER, loader);
        }
        if (inheritableThreadLocals != null) {
            U.putReference(self, INHERITABLE, inheritableThreadLocals);
        }
    }

    /// Wipes what a goroutine left behind in the current virtual thread: open scopes, thread-locals, interrupt
    /// status, park permit, handler and name. Closing scopes may block. The context class loader is set by
    /// [#inherit], before the next goroutine.
    public static void wipe(Thread self) {
        if (U.getReference(self, SCOPES) != null) {
            StackableScope.popAll();
        }
        if (U.getReference(self, THREAD_LOCALS) != null) {
            U.putReference(self, THREAD_LOCALS, null);
        }
        if (U.getReference(self, INHERITABLE) != null) {
            U.putReference(self, INHERITABLE, null);
        }
        if (U.getReference(self, HANDLER) != null) {
            U.putReferenceVolatile(self, HANDLER, null);
        }
        if (U.getReference(self, NAME) != "") {
            U.putReferenceVolatile(self, NAME, "");
        }
        if (U.getBooleanVolatile(self, INTERRUPTED)) {
            boolean _ = Thread.interrupted();
        }
        if (U.getBooleanVolatile(self, PARK_PERMIT)) {
            U.putBooleanVolatile(self, PARK_PERMIT, false);
        }
    }

    /// The live virtual threads of a scheduler, as far as the JVM tracks threads. Slow.
    public static List<Thread> virtualThreadsOf(CarrierPool pool) {
        List<Thread> found = new ArrayList<>();
        collect(ThreadContainers.root(), thread -> poolOf(thread) == pool, found);
        return found;
    }

    /// Whether other schedulers have any virtual thread that could act by itself. Slow.
    public static boolean areVirtualThreadsElsewhere(CarrierPool pool) {
        List<Thread> found = new ArrayList<>();
        collect(
                ThreadContainers.root(),
                thread -> thread.isVirtual() && poolOf(thread) != pool && !JdkPollers.isSubPoller(thread),
                found);
        return !found.isEmpty();
    }

    /// Whether the thread carries virtual threads, of whatever scheduler.
    public static boolean isCarrier(Thread thread) {
        return thread instanceof CarrierThread;
    }

    private static void collect(ThreadContainer container, Predicate<Thread> wanted, List<Thread> found) {
        container.threads().filter(wanted).forEach(found::add);
        container.children().forEach(child -> collect(child, wanted, found));
    }

    // ---- starting platform threads where the JDK keeps its carriers

    static ThreadContainer containerOf(CarrierPool pool) {
        return (ThreadContainer) U.getReference(pool, POOL_CONTAINER);
    }

    /// The carrier's own queue, which is in no pool's list and never used.
    static Object workQueueOf(Carrier carrier) {
        return U.getReference(carrier, WORK_QUEUE);
    }

    /// Makes such a queue appear to have `entries` entries.
    static void setQueued(Object workQueue, int entries) {
        U.putInt(workQueue, TOP, entries); // the base is 0
    }

    static void startIn(Thread thread, ThreadContainer container) {
        JLA.start(thread, container);
    }

    /// Avoids the JVM's warning about native access from a class path or module for which it was not enabled.
    public static void allowNativeAccess() {
        Module own = Jdk.class.getModule();
        if (own.isNamed()) {
            JLA.addEnableNativeAccess(own);
        } else {
            JLA.addEnableNativeAccessToAllUnnamed();
        }
    }

    // ---- lookup of members

    private static MethodHandle newVirtualThreadHandle() {
        try {
            Class<?> builders = classNamed("java.lang.ThreadBuilders");
            return MethodHandles.privateLookupIn(builders, MethodHandles.lookup())
                    .findStatic(
                            builders,
                            "newVirtualThread",
                            MethodType.methodType(
                                    Thread.class, Executor.class, String.class, int.class, Runnable.class));
        } catch (ReflectiveOperationException e) {
            throw unexpected("java.lang.ThreadBuilders.newVirtualThread", e);
        }
    }

    private static MethodHandle inheritedMapHandle() {
        try {
            Class<?> map = classNamed("java.lang.ThreadLocal$ThreadLocalMap");
            return MethodHandles.privateLookupIn(ThreadLocal.class, MethodHandles.lookup())
                    .findStatic(ThreadLocal.class, "createInheritedMap", MethodType.methodType(map, map))
                    .asType(MethodType.methodType(Object.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw unexpected("java.lang.ThreadLocal.createInheritedMap", e);
        }
    }

    /// Does not initialise the class: code that is compiled between the initialisation of VirtualThread and the
    /// installation of a scheduler would keep the JDK's own.
    static Class<?> classNamed(String name) {
        try {
            return Class.forName(name, /* initialize= */ false, null);
        } catch (ClassNotFoundException e) {
            throw unexpected(name, e);
        }
    }

    private static long offset(Class<?> type, String field) {
        try {
            return U.objectFieldOffset(type, field);
        } catch (InternalError e) {
            throw unexpected(type.getName() + "." + field, e);
        }
    }

    static UnsupportedOperationException unexpected(String member, @Nullable Throwable cause) {
        return new UnsupportedOperationException(
                "Heddle does not know this JDK (" + Runtime.version() + "): it has no " + member + " as JDK "
                        + Access.SUPPORTED_FEATURE + " has; use JDK " + Access.SUPPORTED_FEATURE + ".",
                cause);
    }
}
