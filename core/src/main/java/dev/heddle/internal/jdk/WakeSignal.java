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

    /// What became of a request to run an action when the signal arrives.
    public enum Outcome {
        /// The action will run, on a thread of its own, whenever the signal arrives.
        HANDLED,
        /// Another Heddle of this JVM, in another class loader, handles the signal.
        HANDLED_BY_ANOTHER_HEDDLE,
        /// The program handles the signal itself, or the JVM delivers no signals (`-Xrs`).
        IMPOSSIBLE
    }

    public static Outcome onArrival(Runnable action) {
        if (JvmArguments.isAny("-Xrs", "-XX:+ReduceSignalUsage")) {
            return Outcome.IMPOSSIBLE;
        }
        try {
            Signal signal = new Signal(NAME);
            Signal.Handler before = Signal.handle(signal, new WakeSignal(action));
            if (before == Signal.Handler.SIG_DFL || before == Signal.Handler.SIG_IGN) {
                return Outcome.HANDLED;
            }
            Signal.handle(signal, before);
            return isWakeSignal(before) ? Outcome.HANDLED_BY_ANOTHER_HEDDLE : Outcome.IMPOSSIBLE;
        } catch (IllegalArgumentException _) {
            return Outcome.IMPOSSIBLE; // this system has no such signal, or does not let Java handle it
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
