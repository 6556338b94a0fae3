package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.WakeSignal;
import dev.heddle.internal.settings.Settings;
import java.util.concurrent.atomic.AtomicBoolean;

/// Lets commands observe this JVM, at no cost until one does: the first scheduler registers a signal handler, and the
/// signal makes [ObserverThread] open a socket.
///
/// Opening a socket at once would load 200 classes, and cost each program 20 ms of CPU time at its start. It is done
/// only where a signal cannot be handled: see [WakeSignal].
public final class ObserverGate implements Runnable {

    private static final AtomicBoolean OPENED = new AtomicBoolean();

    private final String observe;

    private ObserverGate(String observe) {
        this.observe = observe;
    }

    /// Called when a scheduler has been created. Later calls do nothing. Any thread.
    public static void open() {
        if (OPENED.get() || !OPENED.compareAndSet(false, true)) {
            return;
        }
        String observe = Settings.observe();
        if (Settings.isOff(observe)) {
            return;
        }
        ObserverGate gate = new ObserverGate(observe);
        if (!WakeSignal.onArrival(gate)) {
            gate.run();
        }
    }

    /// The signal has arrived. Nothing is printed on the program's standard error: a command that gets no answer says
    /// so to its user.
    @Override
    public void run() {
        try {
            ObserverThread.wake(observe);
        } catch (LinkageError | OutOfMemoryError _) {
            // the jar was replaced while the program runs, or there is no memory for a thread
        }
    }
}
