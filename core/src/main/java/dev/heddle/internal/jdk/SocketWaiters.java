package dev.heddle.internal.jdk;

import java.util.Map;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/// Checks whether any virtual thread of this JVM waits for a socket or in a selector, in the JDK's pollers.
public final class SocketWaiters {

    private static final Unsafe U = Unsafe.getUnsafe();

    private SocketWaiters() {}

    /// True if a thread waits, or if that is unknown. Does not initialise the pollers.
    public static boolean isAny() {
        try {
            Class<?> poller = Class.forName("sun.nio.ch.Poller", /* initialize= */ false, null);
            if (U.shouldBeInitialized(poller)) {
                return false;
            }
            var field = poller.getDeclaredField("POLLERS");
            Object pollers = U.getReference(U.staticFieldBase(field), U.staticFieldOffset(field));
            return pollers != null
                    && (hasWaiters(poller, pollers, "readPollers")
                            || hasWaiters(poller, pollers, "writePollers")
                            || isAnyInSelector(poller, pollers));
        } catch (ReflectiveOperationException | RuntimeException | InternalError _) {
            return true;
        }
    }

    private static boolean hasWaiters(Class<?> poller, Object pollers, String name) {
        long maps = U.objectFieldOffset(poller, "map");
        @Nullable Object[] array = (Object[]) U.getReference(pollers, U.objectFieldOffset(pollers.getClass(), name));
        for (Object each : array) {
            if (each != null && !((Map<?, ?>) U.getReference(each, maps)).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /// Whether a virtual thread waits in a selector. Such threads wait in the master poller, in which the
    /// sub-pollers always wait.
    private static boolean isAnyInSelector(Class<?> poller, Object pollers) {
        Object master = U.getReference(pollers, U.objectFieldOffset(pollers.getClass(), "masterPoller"));
        if (master == null) {
            return false;
        }
        Map<?, ?> waiting = (Map<?, ?>) U.getReference(master, U.objectFieldOffset(poller, "map"));
        for (Object thread : waiting.values()) {
            if (!JdkPollers.isSubPoller((Thread) thread)) {
                return true;
            }
        }
        return false;
    }
}
