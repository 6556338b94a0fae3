package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.kernel.KernelThread;
import dev.heddle.stats.SchedulerSnapshot;
import java.util.Map;

/// Prints the `schedtrace` lines of every scheduler to standard error, at the interval of that setting.
///
/// It is a thread of its own, because the holder of standard error's lock must not be able to delay a system monitor.
/// The thread ends when the trace is switched off.
final class SchedTracer extends Thread implements KernelThread {

    SchedTracer() {
        super(null, null, "heddle-schedtrace", 0, /* inheritInheritableThreadLocals= */ false);
        setDaemon(true);
    }

    /// The settings have changed.
    void wake() {
        Jdk.unparkCarrier(this);
    }

    @Override
    public void run() {
        long next = System.nanoTime();
        for (DebugSettings settings = DebugControl.settings();
                settings.schedtrace() != 0;
                settings = DebugControl.settings()) {
            next += settings.schedtrace() * 1_000_000L;
            for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
                Jdk.parkCarrier(left);
                boolean _ = Thread.interrupted();
                if (DebugControl.settings().schedtrace() != settings.schedtrace()) {
                    next = System.nanoTime();
                }
            }
            printAll(DebugControl.settings());
        }
    }

    /// Prints the current lines. The thread that switches the trace on prints the first ones, because the
    /// program may end before this thread has started.
    static void printAll(DebugSettings settings) {
        if (settings.schedtrace() != 0) {
            Map<String, Kernel> kernels = SchedulerReader.kernels();
            kernels.forEach((name, kernel) -> print(name, kernel, settings, /* alone= */ kernels.size() == 1));
        }
    }

    private static void print(String name, Kernel kernel, DebugSettings settings, boolean alone) {
        String suffix = alone ? "" : " scheduler=" + name; // Go has only one scheduler
        StringBuilder text = new StringBuilder();
        if (settings.scheddetail() || settings.steals()) {
            SchedulerSnapshot snapshot = SchedulerReader.snapshot(name, kernel);
            if (settings.scheddetail()) {
                SchedDetail.append(
                        text, snapshot, suffix, GoroutineReader.of(kernel, Integer.MAX_VALUE, /* frames= */ 0));
            } else {
                text.append(snapshot.stats().schedTrace()).append(suffix);
            }
            if (settings.steals()) {
                text.append('\n').append(SchedDetail.steals(snapshot)).append(suffix);
            }
        } else {
            text.append(kernel.stats().schedTrace()).append(suffix);
        }
        System.err.println(text);
    }
}
