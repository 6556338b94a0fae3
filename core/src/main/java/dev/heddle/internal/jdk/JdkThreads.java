package dev.heddle.internal.jdk;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import jdk.internal.misc.InnocuousThread;
import jdk.internal.misc.Unsafe;

/// The platform threads that the JVM and the JDK keep for themselves, and which of them act only when another thread
/// asks them to.
public final class JdkThreads {

    private static final Unsafe U = Unsafe.getUnsafe();

    /// Threads that wait for a request, by name. A thread of the program may have any name: see [#isOfJdk].
    private static final Set<String> SERVANTS = Set.of(
            "Reference Handler",
            "Finalizer",
            "Signal Dispatcher",
            "Common-Cleaner",
            "Notification Thread",
            "Attach Listener",
            "MasterPoller",
            "Read-Poller",
            "Write-Poller",
            "VirtualThread-unblocker",
            "JFR Recorder Thread");

    /// The flight recorder's thread that calls the hooks of periodic events. A hook reports; one that wakes a goroutine
    /// is not supported.
    private static final String RECORDER = "JFR Periodic Tasks";

    /// Name prefix of the thread of each `Cleaner.create()`. A cleaning action runs after its object was collected,
    /// like a finalizer in Go. Go does not wait for finalizers either.
    private static final String CLEANER = "Cleaner-";

    private JdkThreads() {}

    /// All platform threads of the JVM that are alive. Slow.
    public static List<Thread> all() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        for (ThreadGroup parent = root.getParent(); parent != null; parent = root.getParent()) {
            root = parent;
        }
        Thread[] threads;
        int count;
        do {
            threads = new Thread[2 * root.activeCount() + 16];
            count = root.enumerate(threads);
        } while (count == threads.length);
        return Arrays.asList(threads).subList(0, count);
    }

    /// Whether the thread is idle, and gets no work except from another thread, a signal or a ready socket.
    /// False if that is unknown.
    public static boolean isPassive(Thread thread) {
        if (thread instanceof ForkJoinWorkerThread worker) {
            ForkJoinPool pool = worker.getPool();
            return pool != null && pool.isQuiescent();
        }
        if (thread.getClass().getName().equals("java.util.concurrent.DelayScheduler")) {
            return hasNoDelayedTask(thread);
        }
        String name = thread.getName();
        if (name.equals(RECORDER)) {
            return isOfModule(thread, "jdk.jfr");
        }
        return (SERVANTS.contains(name) || name.startsWith(CLEANER)) && isOfJdk(thread);
    }

    /// Whether the thread belongs to the JVM or the JDK. The JVM's own threads are in the root group, which
    /// programs normally do not use; the JDK's are instances of InnocuousThread.
    private static boolean isOfJdk(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return thread instanceof InnocuousThread || (group != null && group.getParent() == null);
    }

    /// Whether the task that a platform thread was made for is of that module.
    private static boolean isOfModule(Thread thread, String module) {
        try {
            Object holder = U.getReference(thread, U.objectFieldOffset(Thread.class, "holder"));
            Object task = U.getReference(holder, U.objectFieldOffset(holder.getClass(), "task"));
            return task != null && module.equals(task.getClass().getModule().getName());
        } catch (InternalError _) {
            return false; // another JDK
        }
    }

    /// Whether a ForkJoinPool's thread for delayed tasks has none. That thread stays alive after its last task
    /// has run or was cancelled. `pending` is written before `active`, and `restingSize` before `active` goes
    /// to 0.
    private static boolean hasNoDelayedTask(Thread scheduler) {
        try {
            Class<?> type = scheduler.getClass();
            return scheduler.getState() == Thread.State.WAITING
                    && U.getIntVolatile(scheduler, U.objectFieldOffset(type, "active")) == 0
                    && U.getReferenceVolatile(scheduler, U.objectFieldOffset(type, "pending")) == null
                    && U.getIntVolatile(scheduler, U.objectFieldOffset(type, "restingSize")) == 0;
        } catch (InternalError _) {
            return false; // another JDK
        }
    }
}
