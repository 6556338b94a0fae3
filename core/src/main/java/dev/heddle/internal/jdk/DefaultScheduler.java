package dev.heddle.internal.jdk;

import java.lang.reflect.Field;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.ContinuationSupport;
import org.jspecify.annotations.Nullable;

/// Reads and replaces the JVM's default scheduler: the one that runs virtual threads created without naming another.
public final class DefaultScheduler {
    /*
     * Order. First check that VirtualThread is still uninitialised. Its initialiser creates the JDK's own scheduler,
     * which has no thread and never gets one. Then replace the field, before any virtual thread is created: it is a
     * static final, and code that was compiled with the old value would keep it (J14). Last, verify that a thread
     * created in the ordinary way has the new scheduler.
     */

    private static final Unsafe U = Unsafe.getUnsafe();

    private DefaultScheduler() {}

    /// Whether this JVM schedules virtual threads at all: without continuations they are platform threads.
    public static boolean isPossible() {
        return ContinuationSupport.isSupported();
    }

    /// Heddle's scheduler, if it is the JVM's default.
    public static @Nullable CarrierPool installed() {
        return SharedSecrets.getJavaLangAccess().virtualThreadDefaultScheduler() instanceof CarrierPool pool
                ? pool
                : null;
    }

    /// Whether a scheduler can still be installed: virtual threads have not been used.
    public static boolean isVacant() {
        return U.shouldBeInitialized(virtualThread());
    }

    /// Throws an exception with a one-sentence message if a scheduler can no longer be installed in this JVM.
    public static void requireVacant() {
        if (!isPossible()) {
            throw new IllegalStateException("this JVM runs virtual threads as platform threads (-XX:-VMContinuations),"
                    + " so there is nothing to schedule.");
        }
        if (isVacant()) {
            return;
        }
        throw new IllegalStateException(
                installed() != null
                        ? "Heddle is installed already: name -javaagent:heddle.jar once."
                        : "something used virtual threads before Heddle could be installed: name"
                                + " -javaagent:heddle.jar before other agents.");
    }

    /// Makes the pool the default of this JVM, or throws an exception with a one-sentence message. To be called
    /// once, after [#requireVacant].
    public static void install(CarrierPool pool) {
        try {
            Field field = virtualThread().getDeclaredField("DEFAULT_SCHEDULER");
            U.ensureClassInitialized(virtualThread());
            U.putReferenceVolatile(U.staticFieldBase(field), U.staticFieldOffset(field), pool);
        } catch (NoSuchFieldException e) {
            throw Jdk.unexpected("java.lang.VirtualThread.DEFAULT_SCHEDULER", e);
        }
        Thread probe = ResumeTasks.newThread();
        if (installed() != pool || Jdk.poolOf(probe) != pool) {
            throw new IllegalStateException(
                    "this JVM (" + Runtime.version() + ") took no notice of its new scheduler.");
        }
    }

    private static Class<?> virtualThread() {
        try {
            return Class.forName("java.lang.VirtualThread", /* initialize= */ false, null);
        } catch (ClassNotFoundException e) {
            throw Jdk.unexpected("java.lang.VirtualThread", e);
        }
    }
}
