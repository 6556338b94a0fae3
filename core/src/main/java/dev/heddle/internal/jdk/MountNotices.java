package dev.heddle.internal.jdk;

import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;

/// Spares every mount and unmount of a virtual thread the calls that tell debuggers of it, where there is none.
public final class MountNotices {
    /*
     * Why.   A JVM that was started with any agent, ours too, takes notes for JVMTI at both ends of every mount and unmount:
     *        four calls into the VM, 110 of the 280 ns that a switch costs. Java agents cannot ask for these notes; only
     *        native ones can: debuggers and profilers.
     * What.  The variable by which the JVM itself decides is cleared. That is the state of a JVM without agents, and the
     *        JVM leaves it in its own way when a native agent is loaded later (JvmtiEnvBase,
     *        enable_virtual_threads_notify_jvmti), after it has put right what nobody noted meanwhile.
     * When.  Before the first virtual thread is mounted: nothing is half noted.
     * Race.  An agent that is loaded at this very moment finds the variable still set, does nothing about it, and would
     *        then lose it. It is loaded by the JVM's thread "Attach Listener", which is made first. So the variable is
     *        cleared, and then that thread looked for: if it is there, the variable is set again, which is right as
     *        nothing has been mounted. If it is not there yet, what it loads will find the variable cleared.
     * Not.   If a native agent was named at the start, if somebody has attached already, if -Dheddle.mountNotices=true,
     *        or if the variable is not found. A library that the program itself loads, and that asks for JVMTI in the
     *        moment of the start, is not seen.
     * Rejected. -XX:-DoJVMTIVirtualThreadTransitions: a flag for users to set, and no way back for later agents.
     */

    static final String VARIABLE = "_ZN27JvmtiVTMSTransitionDisabler25_VTMS_notify_jvmti_eventsE";

    /// For those who want them in any case.
    private static final String PROPERTY = "heddle.mountNotices";

    private static volatile long address;

    private MountNotices() {}

    /// Stops them if nobody can be listening. Before the first virtual thread of this JVM; takes milliseconds.
    public static void stop() {
        if (Boolean.getBoolean(PROPERTY) || isNativeAgentNamed()) {
            return;
        }
        long found = LibJvm.addressOfByte(VARIABLE);
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
        ThreadGroup all = Thread.currentThread().getThreadGroup();
        while (all.getParent() != null) {
            all = all.getParent();
        }
        Thread[] threads = new Thread[2 * all.activeCount() + 16];
        for (int i = all.enumerate(threads) - 1; i >= 0; i--) {
            if (threads[i].getName().equals("Attach Listener")) {
                return true;
            }
        }
        return false;
    }

    /// Whether they were stopped, and nobody has come since who wants them.
    public static boolean areStopped() {
        long found = address;
        return found != 0 && Unsafe.getUnsafe().getByte(found) == 0;
    }

    /// Whether a debugger or profiler was named at the start: somebody who is told of every virtual thread.
    public static boolean isNativeAgentNamed() {
        return isNativeAgentNamed(VM.getRuntimeArguments());
    }

    static boolean isNativeAgentNamed(String[] arguments) {
        for (String argument : arguments) {
            if (argument.startsWith("-agent") || argument.startsWith("-Xrun") || argument.startsWith("-Xdebug")) {
                return true;
            }
        }
        return false;
    }
}
