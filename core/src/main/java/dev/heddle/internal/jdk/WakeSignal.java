package dev.heddle.internal.jdk;

import jdk.internal.misc.Signal;

/// The signal by which a command asks this JVM to open its socket: SIGURG.
///
/// A process that does not handle SIGURG ignores it, so a command that asks the wrong process does no harm. The system
/// delivers signals only between processes of the same user, and from root.
public final class WakeSignal implements Signal.Handler {

    private static final String NAME = "URG";

    private final Runnable action;

    private WakeSignal(Runnable action) {
        this.action = action;
    }

    /// Has `action` run whenever the signal arrives, each time on a thread of its own. Another Heddle of this
    /// JVM, in another class loader, may handle the signal already; then that one stays.
    ///
    /// @return false if neither handles it: the program does so itself, or the JVM delivers no signals (`-Xrs`)
    public static boolean onArrival(Runnable action) {
        if (JvmArguments.isAny("-Xrs", "-XX:+ReduceSignalUsage")) {
            return false;
        }
        try {
            Signal signal = new Signal(NAME);
            Signal.Handler before = Signal.handle(signal, new WakeSignal(action));
            if (before == Signal.Handler.SIG_DFL || before == Signal.Handler.SIG_IGN) {
                return true;
            }
            Signal.handle(signal, before);
            return isWakeSignal(before);
        } catch (IllegalArgumentException _) {
            return false; // this system has no such signal, or does not let Java handle it
        }
    }

    /// Whether a handler is Heddle's, of this class loader or another one.
    static boolean isWakeSignal(Object handler) {
        return handler.getClass().getName().equals(WakeSignal.class.getName());
    }

    @Override
    public void handle(Signal signal) {
        action.run();
    }
}
