package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.kernel.KernelThread;
import dev.heddle.internal.settings.Settings;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/// Prints every thread and goroutine, once, if the program takes very long to start: if `HEDDLE_DEBUG` is set, and no
/// goroutine or virtual thread has run 30 s after the first scheduler was requested.
///
/// A user whose program hangs at the start may have no shell at hand in which to ask for a dump.
final class StartWatch extends Thread implements KernelThread {

    static final String NAME = "heddle-start-watch";

    private static final long LONG_MILLIS = Settings.longStartMillis();
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private StartWatch() {
        super(null, null, NAME, 0, /* inheritInheritableThreadLocals= */ false);
        setDaemon(true);
    }

    /// Starts the watch at the first call. Any thread.
    static void begin() {
        if (BEGUN.compareAndSet(false, true)) {
            new StartWatch().start();
        }
    }

    @Override
    public void run() {
        long end = System.nanoTime() + LONG_MILLIS * 1_000_000;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            Jdk.parkCarrier(left);
            boolean _ = Thread.interrupted();
        }
        if (SchedulerReader.kernels().values().stream()
                .allMatch(it -> it.stats().switches() == 0)) {
            System.err.print(dump());
        }
    }

    private static String dump() {
        Map<String, Kernel> kernels = SchedulerReader.kernels();
        long live = kernels.values().stream().mapToLong(Kernel::live).sum();
        StringBuilder text = new StringBuilder("heddle: the start takes long: after ")
                .append(LONG_MILLIS)
                .append(" ms no goroutine or virtual thread has run, and ")
                .append(live)
                .append(" were started.\n");
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            text.append("\n\"")
                    .append(thread.getName())
                    .append("\" ")
                    .append(thread.getState())
                    .append('\n');
            for (StackTraceElement frame : frames) {
                text.append("\tat ").append(frame).append('\n');
            }
        });
        kernels.forEach((name, kernel) -> text.append('\n')
                .append(kernel.stats().schedTrace())
                .append('\n')
                .append(SchedulerReader.dump(name).text(/* allFrames= */ true)));
        return text.toString();
    }
}
