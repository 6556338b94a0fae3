package dev.heddle.internal.jdk;

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
            "VirtualThread-unblocker");

    /// Of each `Cleaner.create()`. A cleaning action runs after its object was collected, as a finalizer in Go,
    /// which Go does not wait for either.
    private static final String CLEANER = "Cleaner-";

    private JdkThreads() {}

    /// Whether the thread has nothing to do, and gets nothing to do unless another thread, a signal or a ready
    /// socket brings it. False if that cannot be said.
    public static boolean isPassive(Thread thread) {
        if (thread instanceof ForkJoinWorkerThread worker) {
            ForkJoinPool pool = worker.getPool();
            return pool != null && pool.isQuiescent();
        }
        if (thread.getClass().getName().equals("java.util.concurrent.DelayScheduler")) {
            return hasNoDelayedTask(thread);
        }
        String name = thread.getName();
        return (SERVANTS.contains(name) || name.startsWith(CLEANER)) && isOfJdk(thread);
    }

    /// The JVM's own threads are in the root group, where programs have no business; the JDK's are innocuous.
    private static boolean isOfJdk(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return thread instanceof InnocuousThread || (group != null && group.getParent() == null);
    }

    /// Of the thread with the delayed tasks of a ForkJoinPool, which stays when the last one has run or was
    /// cancelled. `pending` is written before `active`, and `restingSize` before `active` goes to 0.
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
