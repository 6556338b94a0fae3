package dev.heddle.internal.jdk;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/// What the program has asked the JVM to run when a signal arrives: handlers of signals, and shutdown hooks.
///
/// Until the signal arrives no thread of the program need exist. The handlers and hooks that the JVM and the JDK
/// register for themselves do nothing for the program and are not counted.
public final class ProgramHooks {

    private static final Unsafe U = Unsafe.getUnsafe();

    /// Handles SIGHUP, SIGINT and SIGTERM: ends the JVM, and so runs the shutdown hooks.
    private static final String JVM_HANDLER = "java.lang.Terminator$";

    private static final List<String> JDK_HOOKS =
            List.of("java.util.logging.LogManager$Cleaner", "jdk.jfr.internal.ShutdownHook");

    private ProgramHooks() {}

    /// Runs `action` when the JVM ends. Such a hook of Heddle's own is not counted: it wakes no goroutine.
    public static void addOwn(String name, Runnable action) {
        Runtime.getRuntime().addShutdownHook(new OwnHook(name, action));
    }

    private static final class OwnHook extends Thread {
        OwnHook(String name, Runnable action) {
            super(action, name);
        }
    }

    /// Whether the program has any. True if that is unknown.
    public static boolean isAny() {
        return isSignalHandled() || isShutdownHooked();
    }

    /// Whether the program handles a signal. True if that is unknown.
    public static boolean isSignalHandled() {
        try {
            Map<?, ?> handlers = (Map<?, ?>) staticField("jdk.internal.misc.Signal", "handlers");
            if (handlers != null) {
                for (Object handler : handlers.values().toArray()) {
                    boolean isOwn = handler.getClass().getName().startsWith(JVM_HANDLER)
                            || WakeSignal.isWakeSignal(handler); // opens a socket, and wakes no goroutine
                    if (!isOwn) {
                        return true;
                    }
                }
            }
            return false;
        } catch (ReflectiveOperationException | RuntimeException | InternalError _) {
            return true;
        }
    }

    /// Whether the program has a shutdown hook, or the JVM is about to end. True if that is unknown.
    public static boolean isShutdownHooked() {
        try {
            Class<?> holder = type("java.lang.ApplicationShutdownHooks");
            if (U.shouldBeInitialized(holder)) {
                return false; // there has never been one
            }
            Map<?, ?> hooks = (Map<?, ?>) staticField(holder.getName(), "hooks");
            if (hooks == null) {
                return true; // the hooks are running
            }
            // Without the class's lock: its owner could be a virtual thread that waits for a processor. A hook that is
            // added meanwhile is added by a running thread. A map that changes meanwhile may throw, which is handled
            // below.
            for (Object hook : hooks.keySet()) {
                if (!(hook instanceof OwnHook)
                        && !JDK_HOOKS.contains(hook.getClass().getName())) {
                    return true;
                }
            }
            return false;
        } catch (ReflectiveOperationException | RuntimeException | InternalError _) {
            return true;
        }
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name, /* initialize= */ false, null);
    }

    private static @Nullable Object staticField(String type, String name) throws ReflectiveOperationException {
        Class<?> holder = type(type);
        if (U.shouldBeInitialized(holder)) {
            return null;
        }
        Field field = holder.getDeclaredField(name);
        return U.getReferenceVolatile(U.staticFieldBase(field), U.staticFieldOffset(field));
    }
}
