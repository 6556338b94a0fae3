package dev.heddle.internal.kernel;

import org.jspecify.annotations.Nullable;

/// What the kernel does with failures: those of goroutines and timers, those it recovered from, and its own bugs.
final class Failures {

    private final Kernel kernel;
    private final String schedulerName;
    private final Counters counters;
    private final Thread.@Nullable UncaughtExceptionHandler handler;

    /// @param handler receives what goroutines do not catch; null for the thread's own handler
    Failures(
            Kernel kernel, String schedulerName, Counters counters, Thread.@Nullable UncaughtExceptionHandler handler) {
        this.kernel = kernel;
        this.schedulerName = schedulerName;
        this.counters = counters;
        this.handler = handler;
    }

    /// The kernel has recovered from a failure.
    void countRepair() {
        counters.repairs.incrementAndGet();
    }

    void goroutineFailed(Thread thread, Throwable failure) {
        try {
            Thread.UncaughtExceptionHandler receiver = handler != null ? handler : thread.getUncaughtExceptionHandler();
            receiver.uncaughtException(thread, failure);
        } catch (Throwable _) {
            // a failing handler is ignored, as the JVM does
        }
    }

    /// The command of a timer failed on a machine. Its failure is the program's, and the machine goes on.
    void timerFailed(Machine machine, Throwable failure) {
        countRepair();
        goroutineFailed(machine, failure);
    }

    /// Reports a bug in Heddle, and keeps what the flight recorder has. Works on a separate thread, because printing
    /// takes locks of the JDK.
    void reportBug(String what, Throwable bug) {
        Thread reporter = new Thread(
                null,
                () -> {
                    System.err.println("heddle: " + what + ", this is a bug in Heddle:");
                    bug.printStackTrace();
                    kernel.recorder.bug(what + ": " + bug);
                },
                schedulerName + "-bug",
                0,
                /* inheritInheritableThreadLocals= */ false);
        reporter.setDaemon(true);
        reporter.start();
    }
}
