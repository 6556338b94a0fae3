package dev.heddle.client;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import sun.misc.Signal;

/// Sends a process the signal that makes it open its socket: SIGURG, which a process ignores unless it handles it.
///
/// Calls the C library, because a container may not have the command `kill`.
final class Kill {

    private static final int NUMBER = new Signal("URG").getNumber();

    private Kill() {}

    /// The number of the signal on this system.
    static int number() {
        return NUMBER;
    }

    /// Sends the signal. The caller notices a failure: no socket appears.
    static void wake(long pid) {
        try {
            int _ = (int) handle().invokeExact(Math.toIntExact(pid), NUMBER);
        } catch (Throwable e) {
            throw new IllegalStateException("signals cannot be sent from here: " + e.getMessage(), e);
        }
    }

    @SuppressWarnings("restricted") // the command's jar enables native access
    private static MethodHandle handle() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("kill"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    }
}
