package dev.heddle.internal.observe;

import dev.heddle.internal.kernel.CreationSite;
import dev.heddle.internal.settings.Settings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The debug settings of this JVM, and the helpers that implement them: tracer, endpoint, listener.
///
/// One instance serves all schedulers, because they share standard error. The class is not loaded before a setting is
/// switched on, by the environment or by a command.
public final class DebugControl {

    private static final DebugControl THIS_JVM = new DebugControl();

    // Guarded by this object's monitor.
    private DebugSettings settings = DebugSettings.OFF;
    private boolean begun;
    private @Nullable SchedTracer tracer;
    private @Nullable MetricsEndpoint endpoint;
    private @Nullable DumpListener listener;

    private DebugControl() {}

    /// Changes the settings that `text` names, in the syntax of `HEDDLE_DEBUG`. Any thread.
    ///
    /// @throws IllegalArgumentException with a one-sentence message for the user; nothing has changed then
    public static void change(String text) {
        synchronized (THIS_JVM) {
            THIS_JVM.apply(THIS_JVM.settings.with(text));
        }
    }

    /// Applies the settings of the environment and of the properties at the first call. Later calls do nothing,
    /// so that changes made since are kept. Refused settings are skipped, with a line on standard error. Any
    /// thread.
    ///
    /// @throws IllegalStateException with a one-sentence message for the user, if a property or an option of
    ///     the agent asks for metrics on a port that cannot be opened; nothing has changed then
    public static void begin(String settings) {
        synchronized (THIS_JVM) {
            if (!THIS_JVM.begun) {
                THIS_JVM.applyWhatCanBe(settings);
                THIS_JVM.begun = true;
            }
        }
    }

    /// Arranges for a dump if the program takes too long to start. To be called before the first scheduler is
    /// created. Any thread.
    public static void watchStart() {
        StartWatch.begin();
    }

    private void applyWhatCanBe(String text) {
        DebugSettings wanted = settings;
        for (String setting : text.split(",", -1)) {
            try {
                wanted = wanted.with(setting);
            } catch (IllegalArgumentException e) {
                complain(e);
            }
        }
        try {
            apply(wanted);
        } catch (IllegalArgumentException e) { // the port: the only setting that the system can refuse
            if (Settings.text(Settings.METRICS) != null) {
                throw new IllegalStateException(e.getMessage(), e); // a service that nobody monitors must not run
            }
            complain(e); // the environment is inherited, so a child process may name its parent's port
            apply(wanted.with("metrics=0"));
        }
    }

    private static void complain(IllegalArgumentException refusal) {
        System.err.println("heddle: ignoring a setting of HEDDLE_DEBUG: " + refusal.getMessage());
    }

    /// The current settings. Any thread.
    public static DebugSettings settings() {
        synchronized (THIS_JVM) {
            return THIS_JVM.settings;
        }
    }

    private void apply(DebugSettings next) {
        if (next.metrics() != settings.metrics()) {
            moveEndpoint(next.metrics()); // first: the port may be refused
        }
        settings = next;
        CreationSite.note(next.createdby());
        if (next.schedtrace() > 0 && (tracer == null || !tracer.isAlive())) {
            SchedTracer.printAll(next);
            tracer = new SchedTracer();
            tracer.start();
        } else if (tracer != null) {
            tracer.wake();
        }
        if (next.sigquit() && listener == null) {
            listener = DumpListener.start();
        } else if (!next.sigquit() && listener != null) {
            listener.close();
            listener = null;
        }
    }

    private void moveEndpoint(int port) {
        MetricsEndpoint before = endpoint;
        try {
            endpoint = port == 0 ? null : MetricsEndpoint.start(port);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "metrics=" + port + " is refused: the port cannot be opened: " + e.getMessage()
                            + "; name another one.",
                    e);
        }
        if (before != null) {
            before.close();
        }
    }
}
