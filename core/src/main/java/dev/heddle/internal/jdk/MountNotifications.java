package dev.heddle.internal.jdk;

import dev.heddle.internal.settings.Settings;
import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;
import org.jspecify.annotations.Nullable;

/// Saves the calls that notify debuggers of every mount and unmount of a virtual thread, in JVMs without a debugger.
public final class MountNotifications {
    /*
     * Why.   A JVM that was started with any agent, including ours, notifies JVMTI at both ends of every mount and
     *        unmount: four calls into the VM, 110 of the 280 ns that a switch costs. Java agents cannot use these
     *        notices. Only native agents can: debuggers and profilers.
     * What.  We clear the variable by which the JVM itself decides whether to notify. That is the state of a JVM
     *        without agents. When a native agent is loaded later, the JVM itself sets the variable again (JvmtiEnvBase,
     *        enable_virtual_threads_notify_jvmti), after it has made up for the notices that were left out meanwhile.
     * When.  Before the first virtual thread is mounted, so that no mount or unmount is recorded only in part.
     * Race.  An agent that is being loaded at the same time may find the variable still set and do nothing; we would
     *        then clear it, and the agent would get no notices. The JVM's thread "Attach Listener" loads such agents,
     *        and it exists before the agent is loaded. So we clear the variable and then check for that thread. If it
     *        exists, we set the variable again, which is correct because no thread has been mounted. If it does not
     *        exist yet, any agent it loads will find the variable cleared.
     * Not.   If the command line names a native agent, if a tool has attached already, with
     *        -Dheddle.mountNotifications=true, or if the variable is not found. A library that the program itself loads
     *        and that requests JVMTI during the start is not detected.
     * Rejected. -XX:-DoJVMTIVirtualThreadTransitions: users would have to set the flag, and later agents could not
     *        undo it.
     */

    static final String VARIABLE = "_ZN27JvmtiVTMSTransitionDisabler25_VTMS_notify_jvmti_eventsE";

    private static volatile long address;

    private MountNotifications() {}

    /// Stops the notices if no agent can be listening. To be called before the first virtual thread of this
    /// JVM; takes milliseconds.
    public static void stop() {
        if (Settings.keepsMountNotifications() || isNativeAgentNamed()) {
            return;
        }
        long found = JvmSymbols.addressOfByte(VARIABLE);
        if (found != 0 && Unsafe.getUnsafe().getByte(found) == 1) {
            Unsafe.getUnsafe().putByteVolatile(null, found, (byte) 0);
            if (hasAnybodyAttached()) { // after the store: see Race
                Unsafe.getUnsafe().putByteVolatile(null, found, (byte) 1);
            } else {
                address = found;
            }
        }
    }

    private static boolean hasAnybodyAttached() {
        for (Thread thread : JdkThreads.all()) {
            if (thread.getName().equals("Attach Listener")) {
                return true;
            }
        }
        return false;
    }

    /// Whether the notices were stopped and no agent has enabled them since.
    public static boolean areStopped() {
        long found = address;
        return found != 0 && Unsafe.getUnsafe().getByte(found) == 0;
    }

    /// Whether the command line names a native agent, such as a debugger or profiler, which may be notified of
    /// every virtual thread.
    public static boolean isNativeAgentNamed() {
        return isNativeAgentNamed(VM.getRuntimeArguments());
    }

    static boolean isNativeAgentNamed(String @Nullable [] arguments) {
        return JvmArguments.isAny(arguments, "-agent", "-Xrun", "-Xdebug");
    }
}
